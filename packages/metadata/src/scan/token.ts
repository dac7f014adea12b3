import type { TokenClass } from './lexicon.ts'

/** One word, address or path of a text; offsets are in the folded text. */
export interface Token {
  readonly word: string
  readonly start: number
  readonly end: number
  /** How strongly it is separated from the token before it. */
  readonly gap: number
  readonly quoted: boolean
  readonly classes: readonly TokenClass[]
  /** The other classes of its sentence: class names, and words after a `=`. One set for all tokens of a sentence. */
  readonly company: ReadonlySet<string>
}
