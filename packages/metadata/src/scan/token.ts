import type { TokenClass } from './lexicon.ts'

/** A word, address or path in a text. Offsets refer to the folded text. */
export interface Token {
  readonly word: string
  readonly start: number
  readonly end: number
  /** The strength of the separation from the previous token. */
  readonly gap: number
  readonly quoted: boolean
  readonly classes: readonly TokenClass[]
  /** The number of words in the longest known phrase that starts here, or 0. */
  readonly reach: number
  /**
   * The classes that occur in the token's sentence: class names, and words after a `=`. All tokens of a sentence share
   * one set.
   */
  readonly company: ReadonlySet<string>
  /** The word after a `=`, if a pattern names it. */
  readonly mention: string | undefined
}
