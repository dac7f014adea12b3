import { type Answer, NO, UNKNOWN, YES } from './answer.ts'
import type { DigitsOf } from './rules.ts'

export type Kind = 'string' | 'number' | 'boolean' | 'null' | 'array' | 'object' | 'other'

export function kindOf(value: unknown, digitsOf: DigitsOf): Kind {
  switch (typeof value) {
    case 'string':
      return digitsOf(value) === undefined ? 'string' : 'number'
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

/** A number as near as a double comes to it. */
export interface Quantity {
  readonly value: number
  readonly isExact: boolean
}

export function readQuantity(value: unknown, digitsOf: DigitsOf): Quantity | undefined {
  if (typeof value === 'number') return { value, isExact: true }
  const digits = typeof value === 'string' ? digitsOf(value) : undefined
  return digits === undefined ? undefined : { value: Number(digits), isExact: false }
}

/** Whether a value is of the type that a schema names; `any` and `float` are nobody's words, so nobody knows. */
export function isOfType(value: unknown, type: unknown, digitsOf: DigitsOf): Answer {
  const kind = kindOf(value, digitsOf)
  switch (type) {
    case 'integer':
      return kind === 'number' && isWhole(value, digitsOf) ? YES : NO
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

function isWhole(value: unknown, digitsOf: DigitsOf): boolean {
  if (typeof value === 'number') return Number.isInteger(value)
  const digits = typeof value === 'string' ? (digitsOf(value) ?? '') : ''
  return !digits.includes('.') && !/e-/i.test(digits)
}
