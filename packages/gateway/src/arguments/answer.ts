/**
 * Whether a value fits a schema, in three values: what cannot be checked (a schema elsewhere, a look-ahead) is neither a yes
 * nor a no, and stays neither under `not`, `oneOf` and `if`, where taking it for a yes would refuse a good call.
 * Ordered so that "and" is the larger of two answers, "or" the smaller, and "not" the mirror image.
 */
export type Answer = typeof YES | typeof UNKNOWN | typeof NO

export const YES = 0
export const UNKNOWN = 1
export const NO = 2

export function both(a: Answer, b: Answer): Answer {
  return a > b ? a : b
}

export function either(a: Answer, b: Answer): Answer {
  return a < b ? a : b
}

export function opposite(answer: Answer): Answer {
  if (answer === UNKNOWN) return UNKNOWN
  return answer === YES ? NO : YES
}
