import { type Exchange, wrapExchange } from '../../exchange/exchange.ts'
import { RPC, type RpcError } from '../../protocol/messages.ts'

const NOBODY: RpcError = {
  code: RPC.internal,
  message: 'nobody can be asked: the server waits for review',
}

/** The same request, in the course of which a server that waits for review has nothing to say and nothing to ask. */
export function mute(exchange: Exchange, isHeld: () => boolean): Exchange {
  return wrapExchange(exchange, {
    notify: notification => {
      if (!isHeld()) exchange.notify(notification)
    },
    ask: ask => (isHeld() ? Promise.resolve({ error: NOBODY }) : exchange.ask(ask)),
  })
}
