import type { Exchange, Line } from '../../http/client/exchange.ts'

const PATIENCE_MS = 500

/** A DELETE, of which nobody wants to know more than that it is over. */
export class HttpDelete implements Exchange {
  readonly #onOver: () => void
  readonly #deadline: NodeJS.Timeout
  #line: Line | undefined

  constructor(onOver: () => void) {
    this.#onOver = onOver
    this.#deadline = setTimeout(() => this.#line?.abort(this, new Error('too late')), PATIENCE_MS)
  }

  onLine(line: Line): void {
    this.#line = line
  }

  /** The answer is of no interest, and may be long. */
  onHead(): void {
    this.#line?.abort(this, new Error('no longer wanted'))
  }

  onBody(): void {}

  onEnd(): void {
    this.onError()
  }

  onError(): void {
    clearTimeout(this.#deadline)
    this.#onOver()
  }
}
