import type { Caller, Exchange } from './exchange.ts'

/** A call on behalf of somebody who hears nothing of it and can be asked nothing. */
export class SilentExchange implements Exchange {
  readonly requestId: string
  readonly caller: Caller
  readonly id = 0
  readonly method = 'tools/call'
  readonly params: undefined
  readonly isPart = true
  readonly #whole: Pick<Exchange, 'onCancel'> | undefined

  /** `whole` is what it is made for: when that is cancelled, this is too. */
  constructor(requestId: string, caller: Caller, whole?: Pick<Exchange, 'onCancel'>) {
    this.requestId = requestId
    this.caller = caller
    this.#whole = whole
  }

  notify(): void {}

  async ask() {
    return { error: { code: -32601, message: 'nobody can be asked here' } }
  }

  onCancel(listener: (reason?: string) => void): void {
    this.#whole?.onCancel(listener)
  }
}
