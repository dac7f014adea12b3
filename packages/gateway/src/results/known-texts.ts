/** The most characters searched in one result; the result reports when it has more. */
export const MOST = 1024 * 1024

export interface SearchBudget {
  /** The most characters to search. */
  readonly most: number
  /** True if a text that exceeds the limit is searched in part, false if it is not searched. */
  readonly isCut: boolean
}

export const ALL: SearchBudget = { most: MOST, isCut: true }

/** The place where a text was found. Within bytes, much is ordinary that would be suspicious in a plain text. */
export type Among = 'bytes' | undefined

export type Change = readonly [text: string, instead: string, among?: Among]

/** The replacements of searched texts. A text within bytes is searched differently from the same text elsewhere. */
export class KnownTexts {
  readonly #texts = new Map<string, string>()
  readonly #amongBytes = new Map<string, string>()

  constructor(changes: Iterable<Change> = []) {
    for (const [text, instead, among] of changes) this.add(text, instead, among)
  }

  /** Returns the replacement of a text; undefined if the text was not searched. */
  of(text: string, among: Among): string | undefined {
    return this.#mapFor(among).get(text)
  }

  /** Adds a searched text. The first replacement of a text is kept, and the replacement itself counts as searched. */
  add(text: string, instead: string, among: Among): void {
    const known = this.#mapFor(among)
    if (!known.has(text)) known.set(text, instead)
    if (!known.has(instead)) known.set(instead, instead)
  }

  #mapFor(among: Among): Map<string, string> {
    return among === 'bytes' ? this.#amongBytes : this.#texts
  }
}
