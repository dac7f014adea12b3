import { HINT_NAMES, HINTS, type HintName, type HintValues } from './hints.ts'

/** Where a value stands between the loose end (0), undeclared (1) and the strict end (2). */
function rank(hint: HintName, value: boolean | undefined): 0 | 1 | 2 {
  if (value === undefined) return 1
  return value === HINTS[hint].strict ? 2 : 0
}

/**
 * Compares one hint: negative when `a` is looser than `b`, positive when stricter, 0 when the same.
 * Undeclared stands between the two ends: a vanished `destructive: true` has loosened, a vanished
 * `readOnly: true` has tightened.
 *
 * @example
 * import { compareHint } from '@hintgate/metadata'
 * compareHint('readOnly', true, undefined) < 0 // => true
 * compareHint('destructive', true, false) > 0 // => true
 */
export function compareHint(hint: HintName, a: boolean | undefined, b: boolean | undefined): number {
  return rank(hint, a) - rank(hint, b)
}

/** Whether a value is the one that asks for less care. Undeclared relaxes nothing. */
export function isRelaxing(hint: HintName, value: boolean | undefined): boolean {
  return rank(hint, value) === 0
}

/**
 * Whether `a` is looser than `b` in any hint: the question that decides if a change must wait for a person.
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
 * The stricter of two statements, hint by hint. It is commutative, associative and idempotent, so a batch,
 * a composite or several sources can be folded in any order, and the outcome is never looser than a part.
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
 * Two statements about the *same* tool: the stricter where both speak, and where one is silent the other's.
 * (`join` is for different tools, where silence about one of them taints the whole.)
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
 * What can be said of tools that run together (a batch, a composite, a script): read-only and idempotent
 * only if all are, destructive and open-world if any is, undeclared if any part that matters is. No parts:
 * nothing is known.
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
