/**
 * Runs tasks in order of arrival. A task starts immediately, unless it must wait or an earlier one is still waiting.
 */
export class InOrder {
  #last: Promise<void> | undefined

  /** Resolves once all tasks so far are done. Undefined if no task is waiting. */
  get open(): Promise<void> | undefined {
    return this.#last
  }

  /** If `ready` fails, `act` is skipped. */
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
