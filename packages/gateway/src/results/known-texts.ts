/** Maximum number of characters that are searched in one result. If a result has more, its findings say so. */
export const MOST = 1024 * 1024

export interface SearchBudget {
  /** Maximum number of characters to search. */
  readonly most: number
  /** True if a text that exceeds the limit is searched in part; false if it is not searched at all. */
  readonly isCut: boolean
}

export const ALL: SearchBudget = { most: MOST, isCut: true }

/** The place where a text was found. Bytes often contain things that would be suspicious in plain text. */
export type Among = 'bytes' | undefined

export type Change = readonly [text: string, instead: string, among?: Among]

/**
 * The texts that were searched, with their replacements. A text inside bytes is searched differently from the same text
 * elsewhere.
 */
export class KnownTexts {
  readonly #texts = new Map<string, string>()
  readonly #amongBytes = new Map<string, string>()

  constructor(changes: Iterable<Change> = []) {
    for (const [text, instead, among] of changes) this.add(text, instead, among)
  }

  /** Returns the replacement for a text, or undefined if the text was not searched. */
  of(text: string, among: Among): string | undefined {
    return this.#mapFor(among).get(text)
  }

  /**
   * Adds a text that was searched. If a text is added twice, its first replacement is kept. The replacement itself also
   * counts as searched.
   */
  add(text: string, instead: string, among: Among): void {
    const known = this.#mapFor(among)
    if (!known.has(text)) known.set(text, instead)
    if (!known.has(instead)) known.set(instead, instead)
  }

  #mapFor(among: Among): Map<string, string> {
    return among === 'bytes' ? this.#amongBytes : this.#texts
  }
}
