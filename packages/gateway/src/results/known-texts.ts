import type { Among } from './map-texts.ts'

/** A text, and what may be read in its place. */
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
