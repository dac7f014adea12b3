import type { Presentation } from '../../config/config.ts'
import type { Classified } from '../../exchange/incoming-call.ts'
import type { Outcome } from '../../exchange/outcome.ts'
import { filterResult, keepFields, type Select } from '../../results/filter/filter-result.ts'
import { compileQuery, QueryFault } from '../../results/filter/query-result.ts'

type Answered = Extract<Outcome, { kind: 'answered' }>

/** The compiled filters, created at the first result and kept as long as the config. */
const filters = new WeakMap<Presentation, Select>()

/** Returned if the filter does not fit a result, so that nothing of it can be shown. */
interface Unfit {
  readonly kind: 'unfit'
  readonly why: string
}

/**
 * Shows an agent of a toolset the part of a result that the set keeps. The result was checked before, as a whole, so
 * that a filter hides nothing from the checks.
 */
export function filterAnswer(
  said: Answered,
  { offered }: Classified,
  { hasWarning }: { readonly hasWarning: boolean },
): Answered | Unfit {
  const select = offered?.override && selectOf(offered.override)
  if (select === undefined) return said
  const filtered = runFilter(said, select, hasWarning)
  return filtered.kind === 'unfit'
    ? filtered
    : { kind: 'answered', result: filtered.result, bytes: said.bytes }
}

/** True if an agent of a toolset sees only a part of the tool's results. */
export function hasFilter({ offered }: Pick<Classified, 'offered'>): boolean {
  return offered?.override !== undefined && selectOf(offered.override) !== undefined
}

function selectOf(override: Presentation): Select | undefined {
  const { keep, query } = override
  if (keep === undefined && query === undefined) return undefined
  const known = filters.get(override)
  if (known !== undefined) return known
  const select = query === undefined ? keepFields(keep ?? []) : compileQuery(query)
  filters.set(override, select)
  return select
}

function runFilter(said: Answered, select: Select, hasWarning: boolean): ReturnType<typeof filterResult> {
  try {
    return filterResult(said.result, select, { hasWarning })
  } catch (error) {
    if (error instanceof QueryFault) return { kind: 'unfit', why: error.message }
    throw error
  }
}
