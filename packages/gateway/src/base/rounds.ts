/** Gives each job its own turn of the event loop, so that other work can run between hundreds of jobs. */
export class Rounds {
  #last: Promise<void> = Promise.resolve()

  next(): Promise<void> {
    this.#last = this.#last.then(() => new Promise(resolve => setImmediate(resolve)))
    return this.#last
  }
}
