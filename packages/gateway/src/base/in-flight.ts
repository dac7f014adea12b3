const FIRST_PLACES = 64

/**
 * What is under way, each under a number that is never used again. A `Map` would do, were it not for the garbage
 * collector: whenever a `Map` that things come into and leave is rebuilt, its old table stays linked to the new one and
 * keeps everything alive that was under way at that moment, until the next full collection. At thousands of calls a
 * second that was a third of all the memory they took (bench: 10 KB a call).
 */
export class InFlight<T> {
  #numbers: number[]
  #values: (T | undefined)[]
  #last = 0
  #size = 0

  /** `places`: how many are made at first, a power of two. Whoever is one of thousands needs few. */
  constructor(places = FIRST_PLACES) {
    this.#numbers = emptyPlaces(places, 0)
    this.#values = emptyPlaces<T | undefined>(places, undefined)
  }

  get size(): number {
    return this.#size
  }

  add(value: T): number {
    if (this.#size * 2 >= this.#values.length) this.#grow()
    // What takes long keeps its place; whoever comes after passes over it.
    do this.#last += 1
    while (this.#values[this.#placeOf(this.#last)] !== undefined)
    const place = this.#placeOf(this.#last)
    this.#numbers[place] = this.#last
    this.#values[place] = value
    this.#size += 1
    return this.#last
  }

  get(number: unknown): T | undefined {
    if (typeof number !== 'number') return undefined
    const place = this.#placeOf(number)
    return this.#numbers[place] === number ? this.#values[place] : undefined
  }

  /** What was there, if it still was. */
  remove(number: unknown): T | undefined {
    const value = this.get(number)
    if (value === undefined) return undefined
    this.#values[this.#placeOf(number as number)] = undefined
    this.#size -= 1
    return value
  }

  /** A copy, so that the things listed may go while somebody walks through them. */
  entries(): (readonly [number, T])[] {
    const found: (readonly [number, T])[] = []
    if (this.#size === 0) return found
    for (let place = 0; place < this.#values.length; place++) {
      const value = this.#values[place]
      if (value !== undefined) found.push([this.#numbers[place] ?? 0, value])
    }
    return found
  }

  values(): T[] {
    return this.entries().map(([, value]) => value)
  }

  #placeOf(number: number): number {
    return number & (this.#values.length - 1)
  }

  /** Twice the places: two numbers that had different places before have different ones after. */
  #grow(): void {
    const before = this.entries()
    const places = this.#values.length * 2
    this.#numbers = emptyPlaces(places, 0)
    this.#values = emptyPlaces(places, undefined)
    for (const [number, value] of before) {
      this.#numbers[this.#placeOf(number)] = number
      this.#values[this.#placeOf(number)] = value
    }
  }
}

function emptyPlaces<V>(count: number, empty: V): V[] {
  return Array.from({ length: count }, () => empty)
}
