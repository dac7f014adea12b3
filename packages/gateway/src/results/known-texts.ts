/** The most characters searched in one result; the result reports when it has more. */
export const MOST = 1024 * 1024

export interface SearchBudget {
  /** The most characters to search. */
  readonly most: number
  /** Whether a text longer than the rest is searched in part or not at all. */
  readonly isCut: boolean
}

export const ALL: SearchBudget = { most: MOST, isCut: true }

/** The surroundings of a text. Within bytes, much is ordinary that would be suspicious in a plain text. */
export type Among = 'bytes' | undefined

export type Change = readonly [text: string, instead: string, among?: Among]

/** The replacements of searched texts. A text within bytes is searched differently from the same text elsewhere. */
export class KnownTexts {
  readonly #texts = new Map<string, string>()
  readonly #amongBytes = new Map<string, string>()

  constructor(changes: Iterable<Change> = []) {
    for (const [text, instead, among] of changes) this.add(text, instead, among)
  }

  /** Undefined when the text was not searched. */
  of(text: string, among: Among): string | undefined {
    return this.#mapFor(among).get(text)
  }

  /** The first result for a text is kept, and its replacement counts as searched too. */
  add(text: string, instead: string, among: Among): void {
    const known = this.#mapFor(among)
    if (!known.has(text)) known.set(text, instead)
    if (!known.has(instead)) known.set(instead, instead)
  }

  #mapFor(among: Among): Map<string, string> {
    return among === 'bytes' ? this.#amongBytes : this.#texts
  }
}
