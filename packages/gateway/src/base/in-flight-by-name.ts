const FIRST_PLACES = 64

/**
 * What is under way, by a name: a `Map` without what `InFlight` is there for, that is without old tables that keep alive what
 * was under way when they were given up.
 */
export class InFlightByName<T> {
  /** Whoever finds its place taken stands in the next one that is free. */
  #names: (string | undefined)[] = emptyPlaces(FIRST_PLACES)
  #values: (T | undefined)[] = emptyPlaces(FIRST_PLACES)
  #size = 0

  get size(): number {
    return this.#size
  }

  set(name: string, value: T): void {
    if (this.#size * 2 >= this.#names.length) this.#grow()
    const place = this.#find(name)
    if (this.#names[place] === undefined) this.#size += 1
    this.#names[place] = name
    this.#values[place] = value
  }

  /** Whether it was there. */
  delete(name: string): boolean {
    if (this.#size === 0) return false
    let gap = this.#find(name)
    if (this.#names[gap] === undefined) return false
    this.#size -= 1
    // Whoever stands behind it may have wanted its place: nobody is found behind an empty one.
    for (let place = this.#after(gap); ; place = this.#after(place)) {
      const next = this.#names[place]
      if (next === undefined) break
      if (this.#isBetween(gap, this.#placeOf(next), place)) continue
      this.#names[gap] = next
      this.#values[gap] = this.#values[place]
      gap = place
    }
    this.#names[gap] = undefined
    this.#values[gap] = undefined
    return true
  }

  values(): T[] {
    return this.#values.filter((_, place) => this.#names[place] !== undefined) as T[]
  }

  clear(): void {
    this.#names = emptyPlaces(FIRST_PLACES)
    this.#values = emptyPlaces(FIRST_PLACES)
    this.#size = 0
  }

  /** Where it stands, or would stand. */
  #find(name: string): number {
    let place = this.#placeOf(name)
    while (this.#names[place] !== undefined && this.#names[place] !== name) place = this.#after(place)
    return place
  }

  /** Names that are numbered one after the other must not stand one after the other: whoever leaves looks at all up to the next gap. */
  #placeOf(name: string): number {
    let hash = 0
    for (let at = Math.max(0, name.length - MOST_LETTERS); at < name.length; at += 1)
      hash = (Math.imul(hash, 31) + name.charCodeAt(at)) | 0
    const scattered = Math.imul(hash, SCATTER)
    return (scattered ^ (scattered >>> 15)) & (this.#names.length - 1)
  }

  #after(place: number): number {
    return (place + 1) & (this.#names.length - 1)
  }

  /** Whether somebody who wanted `place` may stay at `at` although `gap` is free: its place comes after the gap. */
  #isBetween(gap: number, place: number, at: number): boolean {
    return gap <= at ? gap < place && place <= at : gap < place || place <= at
  }

  #grow(): void {
    const [names, values] = [this.#names, this.#values]
    this.#names = emptyPlaces(names.length * 2)
    this.#values = emptyPlaces(names.length * 2)
    for (const [at, name] of names.entries()) {
      if (name === undefined) continue
      const place = this.#find(name)
      this.#names[place] = name
      this.#values[place] = values[at]
    }
  }
}

/** Ids of requests differ at their ends. */
const MOST_LETTERS = 12
/** 2³² over the golden ratio: multiples of it are as far from each other as can be. */
const SCATTER = 0x9e3779b1

function emptyPlaces<V>(count: number): (V | undefined)[] {
  return Array.from({ length: count }, () => undefined)
}
