import type { Exchange } from './exchange.ts'

type Others = Partial<Pick<Exchange, 'notify' | 'ask' | 'params' | 'set'>>

/**
 * Returns an exchange with some of its functions or parameters replaced. An object spread would not work, because
 * exchanges have private members.
 */
export function wrapExchange(exchange: Exchange, others: Others): Exchange {
  return new WrappedExchange(exchange, others)
}

/**
 * This is a class because most calls are wrapped once, and creating closures for each call would cost more than all
 * other work here.
 */
class WrappedExchange implements Exchange {
  readonly requestId: Exchange['requestId']
  readonly caller: Exchange['caller']
  readonly id: Exchange['id']
  readonly method: Exchange['method']
  readonly params: Exchange['params']
  readonly isPart: boolean
  readonly set: string | undefined
  readonly #exchange: Exchange
  readonly #others: Others

  constructor(exchange: Exchange, others: Others) {
    this.requestId = exchange.requestId
    this.caller = exchange.caller
    this.id = exchange.id
    this.method = exchange.method
    this.params = others.params ?? exchange.params
    this.isPart = exchange.isPart ?? false
    this.set = others.set ?? exchange.set
    this.#exchange = exchange
    this.#others = others
  }

  notify(notification: Parameters<Exchange['notify']>[0]): void {
    if (this.#others.notify === undefined) this.#exchange.notify(notification)
    else this.#others.notify(notification)
  }

  ask(ask: Parameters<Exchange['ask']>[0]): ReturnType<Exchange['ask']> {
    return this.#others.ask === undefined ? this.#exchange.ask(ask) : this.#others.ask(ask)
  }

  onStream(event: Parameters<NonNullable<Exchange['onStream']>>[0]): void {
    this.#exchange.onStream?.(event)
  }

  onCancel(listener: Parameters<Exchange['onCancel']>[0]): void {
    this.#exchange.onCancel(listener)
  }
}
