import type { Json } from '../protocol/messages.ts'
import { Patterns } from './patterns.ts'
import { References } from './references.ts'

/** The digits of a number that the parser keeps as a text of its own, because a double would round it. */
export type DigitsOf = (text: string) => string | undefined

/** A text, and no number that is kept as one: a schema may have those anywhere. */
export function isTextOf(value: unknown, digitsOf: DigitsOf): value is string {
  return typeof value === 'string' && digitsOf(value) === undefined
}

/** What is known of one tool's schema, kept from call to call. */
export interface Rules {
  readonly references: References
  readonly patterns: Patterns
  readonly digitsOf: DigitsOf
  /** Up to draft 7 a `$ref` stood alone. */
  readonly ignoresBesideRef: boolean
}

const UP_TO_DRAFT_7 = /draft-0[1-7]/

export function readRules(schema: Json, digitsOf: DigitsOf): Rules {
  return {
    references: new References(schema),
    patterns: new Patterns(),
    digitsOf,
    ignoresBesideRef: typeof schema.$schema === 'string' && UP_TO_DRAFT_7.test(schema.$schema),
  }
}
