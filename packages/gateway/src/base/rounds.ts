/**
 * Rounds of the event loop, one for each who asks. What hundreds of pieces of work take at once would keep everybody waiting:
 * this way each is done in a round of its own, and whoever else is there comes in between.
 */
export class Rounds {
  #last: Promise<void> = Promise.resolve()

  next(): Promise<void> {
    this.#last = this.#last.then(() => new Promise(resolve => setImmediate(resolve)))
    return this.#last
  }
}
