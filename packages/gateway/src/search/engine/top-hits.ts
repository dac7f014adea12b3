export interface Hit {
  readonly id: string
  readonly score: number
}

const SLACK = 16

/** Keeps the best hits of a stream: by score, then by id, whatever order they came in. */
export class TopHits {
  /** A hit below this can no longer come in. */
  floor = 0
  #hits: Hit[] = []
  readonly #limit: number

  constructor(limit: number) {
    this.#limit = limit
  }

  add(id: string, score: number): void {
    if (score < this.floor) return
    this.#hits.push({ id, score })
    if (this.#hits.length >= this.#limit * 2 + SLACK) this.#trim()
  }

  list(): readonly Hit[] {
    this.#trim()
    return this.#hits
  }

  #trim(): void {
    this.#hits.sort(compareHits)
    if (this.#hits.length <= this.#limit) return
    this.#hits.length = this.#limit
    this.floor = this.#hits.at(-1)?.score ?? this.floor
  }
}

/** Higher score first, then ids by code unit: the same on every machine, unlike a locale's order. */
function compareHits(a: Hit, b: Hit): number {
  return b.score - a.score || (a.id < b.id ? -1 : Number(a.id > b.id))
}
