import { nearest, showUntrusted } from '@hintgate/metadata'
import { NO } from './answer.ts'
import { cutJson } from './cut-json.ts'
import { isOfType, kindOf } from './kinds.ts'
import type { DigitsOf } from './rules.ts'

const MAX_LENGTH = 120
const MAX_NAMES = 200

/** By their JSON names, with what they are called in a sentence. */
export const TYPE_WORDS: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'a boolean',
  array: 'an array',
  object: 'an object',
  null: 'null',
}

export function nameKind(value: unknown, digitsOf: DigitsOf): string {
  const kind = kindOf(value, digitsOf)
  const isFraction = kind === 'number' && isOfType(value, 'integer', digitsOf) === NO
  return isFraction ? 'a fraction' : (TYPE_WORDS[kind] ?? 'this')
}

export function quote(name: string): string {
  return `"${showUntrusted(name)}"`
}

export function showValue(value: unknown, digitsOf: DigitsOf): string {
  if (typeof value === 'string') return digitsOf(value) ?? quote(value)
  return showUntrusted(JSON.stringify(cutJson(value, { limit: MAX_LENGTH, digitsOf })) ?? '', MAX_LENGTH)
}

export function suggest(word: string, known: readonly string[]): string {
  const meant = findNearest(word, known)
  return meant === undefined ? '' : ` (did you mean ${quote(meant)}?)`
}

/** Comparing costs length × length for each, and names from outside are as many and as long as they like. */
export function findNearest(word: string, known: readonly string[]): string | undefined {
  return nearest(
    word,
    known.slice(0, MAX_NAMES).filter(name => name.length <= 64),
  )
}
