/** More than this of one result is not searched, and the result says so. */
export const MOST = 1024 * 1024

export interface Room {
  /** How many characters are searched. */
  readonly most: number
  /** Whether of a text that is longer than what is left so much is searched, or nothing of it. */
  readonly isCut: boolean
}

export const ALL: Room = { most: MOST, isCut: true }

/** Where a text stands that is none to its end: much is ordinary there that would be odd elsewhere. */
export type Among = 'bytes' | undefined

export type Change = readonly [text: string, instead: string, among?: Among]

/** What may be read in the place of texts that were searched. Among bytes a text is not searched for the same as elsewhere. */
export class KnownTexts {
  readonly #texts = new Map<string, string>()
  readonly #amongBytes = new Map<string, string>()

  constructor(changes: Iterable<Change> = []) {
    for (const [text, instead, among] of changes) this.add(text, instead, among)
  }

  /** Undefined where nobody has searched it. */
  of(text: string, among: Among): string | undefined {
    return this.#mapFor(among).get(text)
  }

  /** The first word on a text counts, and what stands in its place is known, too. */
  add(text: string, instead: string, among: Among): void {
    const known = this.#mapFor(among)
    if (!known.has(text)) known.set(text, instead)
    if (!known.has(instead)) known.set(instead, instead)
  }

  #mapFor(among: Among): Map<string, string> {
    return among === 'bytes' ? this.#amongBytes : this.#texts
  }
}
