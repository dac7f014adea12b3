/**
 * Gives each caller its own turn of the event loop. Hundreds of jobs in one turn would block other work; this lets
 * other work run between them.
 */
export class Rounds {
  #last: Promise<void> = Promise.resolve()

  next(): Promise<void> {
    this.#last = this.#last.then(() => new Promise(resolve => setImmediate(resolve)))
    return this.#last
  }
}
