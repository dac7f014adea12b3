/** Does things in the order in which they came: at once, unless one of them has to wait for something. */
export class InOrder {
  #last: Promise<void> | undefined

  /** Resolves once everything so far is done. Undefined if nothing waits. */
  get open(): Promise<void> | undefined {
    return this.#last
  }

  /** If `ready` fails, `act` is left out. */
  do(ready: undefined | Promise<void>, act: () => void): void {
    if (ready === undefined && this.#last === undefined) return act()
    const mine: Promise<void> = Promise.all([this.#last, ready])
      .then(act, () => {})
      .finally(() => {
        if (this.#last === mine) this.#last = undefined
      })
    this.#last = mine
  }
}
