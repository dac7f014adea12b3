import type { Filters } from '../../shell/use-filters.ts'
import { queryOfOutcome } from '../../words/outcome-words.ts'
import { dropAbsent } from '../tools/tool-query.ts'

const VARIANTS = ['read', 'write', 'destructive'] as const
const VERDICTS = ['allow', 'confirm', 'deny'] as const

/** Converts the filters in the address to an API query. Unknown values are ignored. */
export function toActivityQuery(filters: Filters) {
  const { agent, server, tool, variant, verdict, outcome, code, since, until, text } = filters
  return dropAbsent({
    agent,
    server,
    tool,
    code,
    ...(outcome !== undefined && queryOfOutcome(outcome)),
    since,
    until,
    text,
    variant: VARIANTS.find(each => each === variant),
    verdict: VERDICTS.find(each => each === verdict),
  })
}
