import { readTable } from '../text/read-table.ts'
import ruleRows from './injection-rules.json' with { type: 'json' }
import partRows from './injection-words.json' with { type: 'json' }

/**
 * A rule for prompt injection. A rule with a confidence of at least 0.8 matches hardly anything but text addressed to a
 * model. With a lower confidence, it also matches ordinary letters and chats.
 */
export interface InjectionRule {
  readonly id: string
  /** Sets of parts, as bit masks. A sentence must contain at least one part of each set. */
  readonly needs: readonly number[]
  readonly within: number | undefined
  readonly only: ReadonlySet<string>
  readonly confidence: number
}

/** A word stem that belongs to a part. */
export interface Entry {
  /** The part, as a bit mask with one bit. */
  readonly part: number
  readonly stem: string
  readonly isWhole: boolean
}

/**
 * Words grouped by their role (part) in a prompt injection, in several languages. Rules combine parts, not phrases,
 * because a rephrased injection still overrides instructions, asks for something, or claims an identity.
 */
const PARTS = readTable('injection-words.json', partRows, {
  part: 'text',
  /** A description of the part, for people who read the file. */
  about: 'text?',
  /**
   * Word stems, so that endings do not matter; `_` marks the end of a word. A comma and a space separate entries; a
   * comma within an entry has no space after it.
   */
  words: 'texts',
  /** Words in scripts without spaces (Chinese, Japanese, Thai), which are matched anywhere. */
  unspaced: 'texts?',
})
const BITS: ReadonlyMap<string, number> = new Map(PARTS.map(({ part }, at) => [part, 1 << at]))

const CONDITIONS = new Set(['question', 'order', 'spoken'])

export const INJECTION_RULES: readonly InjectionRule[] = readTable('injection-rules.json', ruleRows, {
  id: 'text',
  /** The parts that a sentence must contain; `a|b` means one of them. */
  parts: 'texts',
  /**
   * Maximum number of words between the parts, which must then be in this order. If absent, the parts can be anywhere
   * in the sentence.
   */
  within: 'number?',
  /** Restricts the rule. `question` and `order`: to questions, or to orders. `spoken`: to prose, as opposed to code. */
  only: 'texts?',
  confidence: 'number',
}).map(({ id, parts, within, only, confidence }) => {
  const needs = parts.map(names => names.split('|').reduce((bits, name) => bits | bitOf(name), 0))
  if (only?.some(one => !CONDITIONS.has(one)))
    throw new Error(`injection-rules.json: ${id}: "only" accepts ${[...CONDITIONS].join(', ')}`)
  return { id, needs, within, only: new Set(only), confidence }
})

export function bitOf(part: string): number {
  const bit = BITS.get(part)
  if (bit === undefined) throw new Error(`injection-rules.json: unknown part "${part}"`)
  return bit
}

const NAMES: ReadonlyMap<number, string> = new Map([...BITS].map(([part, bit]) => [bit, part]))

export function namePart(bit: number): string {
  return NAMES.get(bit) ?? ''
}

export const ENTRIES: readonly Entry[] = [
  ...PARTS.flatMap(({ part, words }) =>
    words
      .join(', ')
      .split(', ')
      .map(entry => {
        const stem = entry.replace(',', ', ').replace(/_$/, '')
        return { part: bitOf(part), stem, isWhole: entry.endsWith('_') }
      }),
  ),
  ...PARTS.flatMap(({ part, unspaced = [] }) =>
    unspaced.flatMap(line => line.split(' ').map(stem => ({ part: bitOf(part), stem, isWhole: false }))),
  ),
]
