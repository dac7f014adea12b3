/**
 * Gives each caller its own turn of the event loop. Hundreds of jobs at once would block other work; this way each
 * runs in its own turn and other work runs in between.
 */
export class Rounds {
  #last: Promise<void> = Promise.resolve()

  next(): Promise<void> {
    this.#last = this.#last.then(() => new Promise(resolve => setImmediate(resolve)))
    return this.#last
  }
}
