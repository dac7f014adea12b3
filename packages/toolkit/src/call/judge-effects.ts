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
  /**
   * Hints for which this call is stricter than the tool declares. If there are any, the call was judged by hints that
   * are too loose.
   */
  readonly raised: readonly HintName[]
}

/**
 * Applies a call's effects to its tool's hints. Usually a call does less than its tool declares, because the tool
 * declares the worst case. Effects beyond the declaration count as well, because tightening is accepted from any
 * source. Returns undefined if the effects contradict each other, in which case the tool's own hints apply.
 */
export function judgeEffects(declared: HintValues, claimed: Effects): JudgedEffects | undefined {
  const { operations, ...rest } = claimed
  // A read-only call cannot be destructive, so an author need not set destructive to false as well.
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

/** Converts a call's effects to the form that goes into `_meta` of the call's result, or of its preview's result. */
export function effectsOnWire({ hints, operations }: JudgedEffects): Readonly<Record<string, unknown>> {
  const flags = HINT_NAMES.flatMap(hint =>
    hints[hint] === undefined ? [] : [[HINTS[hint].wire, hints[hint]]],
  )
  return { ...Object.fromEntries(flags), ...(operations === undefined ? {} : { operations }) }
}
