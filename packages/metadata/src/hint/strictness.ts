import { HINT_NAMES, HINTS, type HintName, type HintValues } from './hints.ts'

/** The rank of a value: 0 is loose, 1 is undeclared, 2 is strict. */
function rank(hint: HintName, value: boolean | undefined): 0 | 1 | 2 {
  if (value === undefined) return 1
  return value === HINTS[hint].strict ? 2 : 0
}

/**
 * Compares two values of a hint: negative when `a` is looser than `b`, positive when stricter, 0 when equal.
 * Undeclared lies between the two ends: removing `destructive: true` loosens, removing `readOnly: true`
 * tightens.
 *
 * @example
 * import { compareHint } from '@hintgate/metadata'
 * compareHint('readOnly', true, undefined) < 0 // => true
 * compareHint('destructive', true, false) > 0 // => true
 */
export function compareHint(hint: HintName, a: boolean | undefined, b: boolean | undefined): number {
  return rank(hint, a) - rank(hint, b)
}

/** Whether a value is the loose value of its hint. An undeclared hint is never loose. */
export function isRelaxing(hint: HintName, value: boolean | undefined): boolean {
  return rank(hint, value) === 0
}

/**
 * Whether `a` is looser than `b` in any hint. A change that loosens a hint must wait for review.
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
 * Returns the stricter of two values for each hint. The operation is commutative, associative and idempotent, so
 * statements can be folded in any order, and the result is never looser than any of them.
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
 * Merges two statements about the *same* tool: the stricter value if both declare a hint, otherwise the value that one
 * of them declares. (`join` is for *different* tools: there, undeclared is stricter than a loose value.)
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
 * Combines the hints of tools that run together (a batch, a composite, a script): read-only and idempotent only if all
 * tools are, destructive and open-world if any tool is. If no tool has the strict value, but one leaves the hint
 * undeclared, the result is undeclared. Without tools, there are no hints.
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
