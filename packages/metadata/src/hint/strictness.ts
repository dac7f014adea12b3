import { HINT_NAMES, HINTS, type HintName, type HintValues } from './hints.ts'

/** Returns how strict a value is: 0 for loose, 1 for undeclared, 2 for strict. */
function rank(hint: HintName, value: boolean | undefined): 0 | 1 | 2 {
  if (value === undefined) return 1
  return value === HINTS[hint].strict ? 2 : 0
}

/**
 * Compares two values of a hint. The result is negative if `a` is looser than `b`, positive if `a` is stricter, and 0
 * if they are equal. Undeclared is between loose and strict: removing `destructive: true` loosens, while removing
 * `readOnly: true` tightens.
 *
 * @example
 * import { compareHint } from '@hintgate/metadata'
 * compareHint('readOnly', true, undefined) < 0 // => true
 * compareHint('destructive', true, false) > 0 // => true
 */
export function compareHint(hint: HintName, a: boolean | undefined, b: boolean | undefined): number {
  return rank(hint, a) - rank(hint, b)
}

/** Returns true if a value is the loose value of its hint. An undeclared hint is never loose. */
export function isRelaxing(hint: HintName, value: boolean | undefined): boolean {
  return rank(hint, value) === 0
}

/**
 * Returns true if any hint in `a` is looser than in `b`. A change that loosens a hint must wait for review.
 *
 * @example
 * import { isLooser } from '@hintgate/metadata'
 * isLooser({ destructive: false }, { destructive: true }) // => true
 * isLooser({ readOnly: false }, { readOnly: true }) // => false
 * isLooser({}, { destructive: true }) // => true
 */
export function isLooser(a: HintValues, b: HintValues): boolean {
  return HINT_NAMES.some(hint => compareHint(hint, a[hint], b[hint]) < 0)
}

/**
 * Returns the stricter of two values for each hint. The operation is commutative, associative and idempotent:
 * statements can be combined in any order, and the result is never looser than any of them.
 *
 * @example
 * import { join } from '@hintgate/metadata'
 * join({ readOnly: true, openWorld: false }, { readOnly: false }) // => { readOnly: false }
 */
export function join(a: HintValues, b: HintValues): HintValues {
  const joined: { -readonly [K in HintName]?: boolean } = {}
  for (const hint of HINT_NAMES) {
    const stricter = compareHint(hint, a[hint], b[hint]) >= 0 ? a[hint] : b[hint]
    if (stricter !== undefined) joined[hint] = stricter
  }
  return joined
}

/**
 * Merges two statements about the *same* tool. If both declare a hint, the stricter value counts; otherwise the
 * declared value does. (`join` is for *different* tools, where undeclared is stricter than a loose value.)
 *
 * @example
 * import { mergeStatements } from '@hintgate/metadata'
 * mergeStatements({ readOnly: true }, { readOnly: false, idempotent: true }) // => { readOnly: false, idempotent: true }
 */
export function mergeStatements(a: HintValues, b: HintValues): HintValues {
  const merged: { -readonly [K in HintName]?: boolean } = { ...a }
  for (const hint of HINT_NAMES) {
    const value = b[hint]
    if (value !== undefined && (a[hint] === undefined || compareHint(hint, value, a[hint]) > 0))
      merged[hint] = value
  }
  return merged
}

/**
 * Combines the hints of tools that run together, as in a batch, a composite or a script. The result is read-only and
 * idempotent only if all tools are, and destructive and open-world if any tool is. If no tool has the strict value but
 * at least one leaves the hint undeclared, the result is undeclared. Without tools, there are no hints.
 *
 * @example
 * import { combineHints } from '@hintgate/metadata'
 * combineHints([{ readOnly: true }, { readOnly: true, destructive: false }]) // => { readOnly: true }
 * combineHints([]) // => {}
 */
export function combineHints(parts: readonly HintValues[]): HintValues {
  const [first, ...rest] = parts
  return first === undefined ? {} : rest.reduce(join, first)
}
