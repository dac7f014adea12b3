import {
  compareHint,
  findContradictions,
  HINT_NAMES,
  HINTS,
  type HintName,
  type HintValues,
} from '@hintgate/metadata'
import type { Effects } from '../authoring/tool-spec.ts'

export const META_EFFECTS = 'io.hintgate/effects'

/** The effects of one call, compared with the tool's hints. */
export interface JudgedEffects {
  readonly hints: HintValues
  readonly operations: Effects['operations']
  /** Hints that are stricter in this call than the tool declares, so that the call was judged too loosely. */
  readonly raised: readonly HintName[]
}

/**
 * Applies a call's effects to its tool's hints. A call usually does less than its tool declares, because the tool
 * declares its worst case. More than declared counts too, because a tightening hint counts from any source. `undefined`
 * if the effects contradict themselves: then the tool's own hints apply.
 */
export function judgeEffects(declared: HintValues, claimed: Effects): JudgedEffects | undefined {
  const { operations, ...rest } = claimed
  // A read-only call cannot be destructive, so destructive need not be set as well.
  const hints =
    rest.readOnly === true && rest.destructive === undefined ? { ...rest, destructive: false } : rest
  const merged = { ...declared, ...hints }
  const statement = { hints: merged, ...(operations === undefined ? {} : { operations }) }
  if (findContradictions(statement).some(({ level }) => level === 'error')) return undefined
  const raised = HINT_NAMES.filter(
    hint => declared[hint] !== undefined && compareHint(hint, merged[hint], declared[hint]) > 0,
  )
  return { hints: merged, operations, raised }
}

/** The form of a call's effects in `_meta` of its result and of its preview's result. */
export function effectsOnWire({ hints, operations }: JudgedEffects): Readonly<Record<string, unknown>> {
  const flags = HINT_NAMES.flatMap(hint =>
    hints[hint] === undefined ? [] : [[HINTS[hint].wire, hints[hint]]],
  )
  return { ...Object.fromEntries(flags), ...(operations === undefined ? {} : { operations }) }
}
