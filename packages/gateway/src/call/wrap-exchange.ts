import type { Exchange } from './exchange.ts'

/** The same exchange with other ways to its caller, or other parameters. Exchanges have private parts, so that copying them would not do. */
export function wrapExchange(
  exchange: Exchange,
  others: Partial<Pick<Exchange, 'notify' | 'ask' | 'params'>>,
): Exchange {
  const { requestId, caller, id, method, params, isPart = false } = exchange
  return {
    requestId,
    caller,
    id,
    method,
    params,
    isPart,
    notify: notification => exchange.notify(notification),
    ask: ask => exchange.ask(ask),
    onStream: event => exchange.onStream?.(event),
    onCancel: listener => exchange.onCancel(listener),
    ...others,
  }
}
