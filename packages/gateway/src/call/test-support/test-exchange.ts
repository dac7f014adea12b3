import { type Exchange, nextRequestId } from '../../exchange/exchange.ts'
import type { Json } from '../../protocol/messages.ts'
import type { Principal } from '../../scope/scope.ts'

/** A request from a client that answers no questions and can cancel the request. */
export class TestExchange implements Exchange {
  readonly requestId = nextRequestId()
  readonly caller: Exchange['caller']
  readonly id = 1
  readonly method = 'tools/call'
  readonly params: Json
  #isCancelled = false
  readonly #listeners: (() => void)[] = []

  constructor(principal: Principal, params: Json, capabilities: object = {}) {
    const envelope = { capabilities: capabilities as Json }
    this.caller = { principal, era: 'modern', session: principal.id, envelope }
    this.params = params
  }

  notify(): void {}

  async ask() {
    return { error: { code: -32601, message: 'this client cannot answer questions' } }
  }

  onCancel(listener: () => void): void {
    if (this.#isCancelled) listener()
    else this.#listeners.push(listener)
  }

  cancel(): void {
    this.#isCancelled = true
    for (const listener of this.#listeners.splice(0)) listener()
  }
}
