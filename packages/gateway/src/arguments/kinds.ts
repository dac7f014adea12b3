import { exactDigits } from '../protocol/parse-json.ts'

/**
 * The answer to whether a value matches a schema. UNKNOWN means that the schema cannot be checked, because it is
 * external or contains a look-ahead. UNKNOWN stays UNKNOWN under `not`, `oneOf` and `if`, where treating it as YES
 * would refuse valid calls. The answers are ordered: "and" is the maximum of two answers, "or" the minimum, and "not"
 * the mirror image.
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

type Kind = 'string' | 'number' | 'boolean' | 'null' | 'array' | 'object' | 'other'

export function kindOf(value: unknown): Kind {
  switch (typeof value) {
    case 'string':
      return exactDigits(value) === undefined ? 'string' : 'number'
    case 'number':
      return 'number'
    case 'boolean':
      return 'boolean'
    case 'object':
      if (value === null) return 'null'
      return Array.isArray(value) ? 'array' : 'object'
    default:
      return 'other'
  }
}

/** A number: its value rounded to a double, and its exact digits. */
export interface Quantity {
  readonly value: number
  readonly isExact: boolean
}

export function readQuantity(value: unknown): Quantity | undefined {
  if (typeof value === 'number') return { value, isExact: true }
  const digits = exactDigits(value)
  return digits === undefined ? undefined : { value: Number(digits), isExact: false }
}

/**
 * Checks whether a value has the type that a schema names. Types that JSON Schema does not define, such as `any` and
 * `float`, give UNKNOWN.
 */
export function isOfType(value: unknown, type: unknown): Answer {
  const kind = kindOf(value)
  switch (type) {
    case 'integer':
      return kind === 'number' && isWhole(value) ? YES : NO
    case 'string':
    case 'number':
    case 'boolean':
    case 'null':
    case 'array':
    case 'object':
      return type === kind ? YES : NO
    default:
      return UNKNOWN
  }
}

function isWhole(value: unknown): boolean {
  if (typeof value === 'number') return Number.isInteger(value)
  const digits = exactDigits(value) ?? ''
  return !digits.includes('.') && !/e-/i.test(digits)
}
