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
  /**
   * The classes that occur in the token's sentence: class names, and words after a `=`. All tokens of a sentence share
   * one set.
   */
  readonly company: ReadonlySet<string>
}
