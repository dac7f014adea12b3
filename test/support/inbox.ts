import { PATIENCE_MS } from './patience.ts'

const SHOWN = 12

interface Waiting<T> {
  readonly match: (item: T) => boolean
  readonly resolve: (item: T) => void
  readonly reject: (error: Error) => void
}

/** Items that arrived, and a way to wait for others. */
export class Inbox<T> {
  readonly items: T[] = []
  readonly #name: string
  readonly #waiting = new Set<Waiting<T>>()
  #end: string | undefined

  constructor(name: string) {
    this.#name = name
  }

  add(item: T): void {
    this.items.push(item)
    for (const waiting of this.#waiting) {
      if (!waiting.match(item)) continue
      this.#waiting.delete(waiting)
      waiting.resolve(item)
    }
  }

  /** No more items will arrive. */
  end(why: string): void {
    this.#end ??= why
    for (const { reject } of this.#waiting) reject(new Error(`${this.#name}: ${why}; ${this.#seen()}`))
    this.#waiting.clear()
  }

  /** The first matching item, past or future. */
  until(match: (item: T) => boolean): Promise<T> {
    const found = this.items.find(match)
    if (found !== undefined) return Promise.resolve(found)
    if (this.#end !== undefined)
      return Promise.reject(new Error(`${this.#name}: ${this.#end}; ${this.#seen()}`))
    const arrival = new Promise<T>((resolve, reject) => {
      const give = (error: Error): void => {
        this.#waiting.delete(waiting)
        clearTimeout(timer)
        reject(error)
      }
      const timer = setTimeout(
        () => give(new Error(`${this.#name}: waited in vain; ${this.#seen()}`)),
        PATIENCE_MS,
      )
      const take = (item: T): void => {
        clearTimeout(timer)
        resolve(item)
      }
      const waiting = { match, resolve: take, reject: give }
      this.#waiting.add(waiting)
    })
    // After a failed test no code awaits this promise any more, and its rejection must not count as another failure.
    arrival.catch(() => {})
    return arrival
  }

  #seen(): string {
    return `got ${
      this.items
        .slice(-SHOWN)
        .map(item => JSON.stringify(item).slice(0, 300))
        .join('\n') || 'nothing'
    }`
  }
}
