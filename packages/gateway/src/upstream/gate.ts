/** How a place in the line was left: with a turn, or without one. */
export type Turn = 'granted' | 'full' | 'cancelled'

/** Who comes to the gate, and is given a way to leave the line. */
export interface Visitor {
  leaveLine: (() => void) | undefined
}

/** Lets a number of calls run at once and a number wait; the rest is told so at once. */
export class Gate {
  readonly #limit: number
  readonly #maxWaiting: number
  readonly #waiting: { grant: (turn: Turn) => void }[] = []
  #running = 0

  constructor(limit: number, maxWaiting: number) {
    this.#limit = limit
    this.#maxWaiting = maxWaiting
  }

  get load(): { readonly running: number; readonly waiting: number } {
    return { running: this.#running, waiting: this.#waiting.length }
  }

  /** Undefined means: go ahead. A promise means: wait for your turn. */
  enter(visitor: Visitor): Promise<Turn> | Turn {
    if (this.#running < this.#limit) {
      this.#running += 1
      return 'granted'
    }
    if (this.#waiting.length >= this.#maxWaiting) return 'full'
    return new Promise(resolve => {
      const place = { grant: resolve }
      this.#waiting.push(place)
      visitor.leaveLine = () => {
        const at = this.#waiting.indexOf(place)
        if (at < 0) return
        this.#waiting.splice(at, 1)
        resolve('cancelled')
      }
    })
  }

  leave(): void {
    const next = this.#waiting.shift()
    if (next === undefined) this.#running -= 1
    else next.grant('granted')
  }
}
