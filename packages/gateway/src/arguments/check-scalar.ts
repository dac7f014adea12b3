import type { Json } from '../protocol/messages.ts'
import { isText } from '../protocol/parse-json.ts'
import { COST } from './budget.ts'
import { type Answer, both, NO, type Quantity, readQuantity, UNKNOWN, YES } from './kinds.ts'
import type { Run } from './run.ts'

export function checkString(run: Run, value: string, schema: Json): Answer {
  const { minLength, maxLength, pattern } = schema
  let answer: Answer = YES
  if (typeof minLength === 'number' && !isLongEnough(run, value, minLength))
    answer = run.fail({ keyword: 'minLength', schema, value })
  if (typeof maxLength === 'number' && !isShortEnough(run, value, maxLength))
    answer = run.fail({ keyword: 'maxLength', schema, value })
  if (isText(pattern)) {
    const matches = run.rules.patterns.matches(pattern, value, run.budget)
    answer = both(answer, matches === NO ? run.fail({ keyword: 'pattern', schema, value }) : matches)
  }
  return answer
}

/**
 * True if a string has at least this many characters. A character is one or two code units, so most strings need no
 * counting.
 */
function isLongEnough(run: Run, value: string, least: number): boolean {
  if (value.length < least) return false
  return value.length >= least * 2 || countCharacters(run, value) >= least
}

function isShortEnough(run: Run, value: string, most: number): boolean {
  if (value.length <= most) return true
  return value.length <= most * 2 && countCharacters(run, value) <= most
}

function countCharacters(run: Run, value: string): number {
  run.budget.spend(value.length * COST.character)
  let pairs = 0
  for (let at = 1; at < value.length; at++) {
    if ((value.charCodeAt(at) & 0xfc00) === 0xdc00 && (value.charCodeAt(at - 1) & 0xfc00) === 0xd800)
      pairs += 1
  }
  return value.length - pairs
}

const BOUNDS = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'] as const

export function checkNumber(run: Run, value: unknown, schema: Json): Answer {
  const quantity = readQuantity(value)
  if (quantity === undefined) return UNKNOWN
  let answer: Answer = YES
  for (const keyword of BOUNDS) {
    const bound = readQuantity(schema[keyword])
    if (bound === undefined) continue
    // In draft 4, an exclusive minimum is written `minimum: 0, exclusiveMinimum: true`.
    const isExclusive = keyword.startsWith('ex') || schema[EXCLUSIVE[keyword]] === true
    const within = isWithin(quantity, bound, {
      isLower: keyword.toLowerCase().endsWith('minimum'),
      isExclusive,
    })
    answer = both(answer, within === NO ? run.fail({ keyword, schema, value }) : within)
  }
  const step = readQuantity(schema.multipleOf)
  if (step === undefined || step.value <= 0) return answer
  const isMultiple = isMultipleOf(quantity, step)
  return both(answer, isMultiple === NO ? run.fail({ keyword: 'multipleOf', schema, value }) : isMultiple)
}

const EXCLUSIVE = {
  minimum: 'exclusiveMinimum',
  maximum: 'exclusiveMaximum',
  exclusiveMinimum: '',
  exclusiveMaximum: '',
} as const

function isWithin(a: Quantity, bound: Quantity, side: { isLower: boolean; isExclusive: boolean }): Answer {
  if (a.value === bound.value) {
    if (!a.isExact || !bound.isExact) return UNKNOWN
    return side.isExclusive ? NO : YES
  }
  return a.value > bound.value === side.isLower ? YES : NO
}

/**
 * Allows for rounding, because doubles do not represent decimal fractions exactly: 19.99 must count as a multiple of
 * 0.01.
 */
function isMultipleOf(a: Quantity, step: Quantity): Answer {
  const times = a.value / step.value
  if (!a.isExact || !step.isExact || !Number.isFinite(times)) return UNKNOWN
  return Math.abs(times - Math.round(times)) <= Math.abs(times) * Number.EPSILON * 2 ? YES : NO
}
