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

/** What one call does, measured by what its tool declares. */
export interface JudgedEffects {
  readonly hints: HintValues
  readonly operations: Effects['operations']
  /** Hints that this call has stricter than the tool declares: whoever relied on the tool's word was not told. */
  readonly raised: readonly HintName[]
}

/**
 * Lays a call's own effects over its tool's hints. Less than declared is the use of it: the tool declares its worst
 * case. More than declared is heard too, because what tightens is heard from anyone. `undefined` where the claim
 * contradicts itself: then the tool's own hints stand.
 */
export function judgeEffects(declared: HintValues, claimed: Effects): JudgedEffects | undefined {
  const { operations, ...rest } = claimed
  // Nothing can be lost by a call that changes nothing, so that need not be said twice.
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

/** How a call's effects travel, in `_meta` of its result and of its preview's. */
export function effectsOnWire({ hints, operations }: JudgedEffects): Readonly<Record<string, unknown>> {
  const flags = HINT_NAMES.flatMap(hint =>
    hints[hint] === undefined ? [] : [[HINTS[hint].wire, hints[hint]]],
  )
  return { ...Object.fromEntries(flags), ...(operations === undefined ? {} : { operations }) }
}
