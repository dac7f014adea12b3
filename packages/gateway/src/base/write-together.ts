import { setImmediate as turn } from 'node:timers/promises'

/**
 * Writes values in batches: values that are added while a batch is being written, or within the same turn of the event
 * loop, form the next batch. One commit for many rows costs little more than a commit for one.
 */
export class WriteTogether<T> {
  readonly #write: (values: readonly T[]) => Promise<void>
  #waiting: T[] = []
  #next: Promise<void> | undefined
  #current: Promise<void> = Promise.resolve()

  constructor(write: (values: readonly T[]) => Promise<void>) {
    this.#write = write
  }

  /** Resolves when the value is written; rejects if its batch could not be written. */
  add(value: T): Promise<void> {
    this.#waiting.push(value)
    this.#next ??= this.#writeNext(this.#current)
    return this.#next
  }

  async #writeNext(earlier: Promise<void>): Promise<void> {
    // If the earlier batch failed, its own callers are told, so the error is ignored here.
    await Promise.allSettled([earlier, turn()])
    const values = this.#waiting
    this.#waiting = []
    this.#current = this.#write(values)
    this.#next = undefined
    await this.#current
  }
}
