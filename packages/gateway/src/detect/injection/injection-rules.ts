import { readTable } from '../text/read-table.ts'
import ruleRows from './injection-rules.json' with { type: 'json' }
import partRows from './injection-words.json' with { type: 'json' }

/**
 * From 0.8 on a rule is about talking to a model and hardly anything else; below, honest letters and chats
 * say such things too.
 */
export interface InjectionRule {
  readonly id: string
  /** Each a set of parts, as bits: which of them a sentence has is asked for every rule. */
  readonly needs: readonly number[]
  readonly within: number | undefined
  readonly only: ReadonlySet<string>
  readonly confidence: number
}

/** A beginning of a word that plays a part. */
export interface Entry {
  /** A bit of its own. */
  readonly part: number
  readonly stem: string
  readonly isWhole: boolean
}

/**
 * Words by the part they play when a text talks to a model, in the languages that models read. A rule names parts, never a text:
 * whoever words it anew still has to set instructions aside, ask for something, or claim to be someone.
 */
const PARTS = readTable('injection-words.json', partRows, {
  part: 'text',
  /** What the part is, for readers of the file. */
  about: 'text?',
  /**
   * The beginnings of words, so that endings do not matter; `_` ends a word. A comma inside an entry stands without its space, to be
   * told from the ones between entries.
   */
  words: 'texts',
  /** The same in scripts that write without spaces, Chinese, Japanese and Thai, where they are looked for anywhere. */
  unspaced: 'texts?',
})
const BITS: ReadonlyMap<string, number> = new Map(PARTS.map(({ part }, at) => [part, 1 << at]))

const CONDITIONS = new Set(['question', 'order', 'spoken'])

export const INJECTION_RULES: readonly InjectionRule[] = readTable('injection-rules.json', ruleRows, {
  id: 'text',
  /** Of each one must stand in one sentence; with `|` between them, one of these. */
  parts: 'texts',
  /** In this order, with at most so many words from one part to the next; absent: any order, anywhere in it. */
  within: 'number?',
  /** `question` or `order`: only in one, which opens its sentence. `spoken`: not where the word is one of code. */
  only: 'texts?',
  confidence: 'number',
}).map(({ id, parts, within, only, confidence }) => {
  const needs = parts.map(names => names.split('|').reduce((bits, name) => bits | bitOf(name), 0))
  if (only?.some(one => !CONDITIONS.has(one)))
    throw new Error(`injection-rules.json: ${id}: "only" may have ${[...CONDITIONS].join(', ')}`)
  return { id, needs, within, only: new Set(only), confidence }
})

export function bitOf(part: string): number {
  const bit = BITS.get(part)
  if (bit === undefined) throw new Error(`injection-rules.json: there is no part "${part}"`)
  return bit
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
