import type { CallVariant } from '@hintgate/metadata'
import type { Json } from '../protocol/messages.ts'
import { readEnvelope } from '../protocol/modern.ts'
import type { Principal } from '../scope/scope.ts'
import { type Caller, type Exchange, sessionOf } from './exchange.ts'
import type { IncomingCall } from './incoming-call.ts'

/** An exchange for a caller that receives no notifications and cannot answer questions. */
export class SilentExchange implements Exchange {
  readonly requestId: string
  readonly caller: Caller
  readonly id = 0
  readonly method = 'tools/call'
  readonly params: undefined
  readonly isPart = true
  readonly #whole: Pick<Exchange, 'onCancel'> | undefined

  /** `whole` is the request that this call is a part of. Cancelling `whole` cancels this call too. */
  constructor(requestId: string, caller: Caller, whole?: Pick<Exchange, 'onCancel'>) {
    this.requestId = requestId
    this.caller = caller
    this.#whole = whole
  }

  notify(): void {}

  async ask() {
    return { error: { code: -32601, message: 'this call has no client that can answer questions' } }
  }

  onCancel(listener: (reason?: string) => void): void {
    this.#whole?.onCancel(listener)
  }
}

/** Returns a caller that has no connection, described by the same details that a modern client sends. */
export function callerOf(
  principal: Principal,
  params?: Json,
  session = sessionOf(params, principal),
): Caller {
  return { principal, era: 'modern', session, envelope: readEnvelope(params) }
}

export interface Imagined extends Pick<IncomingCall, 'server' | 'tool' | 'typed'> {
  readonly args: Json
  readonly variant: CallVariant | undefined
}

/** Returns a made-up call that is judged but never sent. */
export function imagineCall(caller: Caller, { args, variant, ...what }: Imagined): IncomingCall {
  const claim = variant && { variant }
  return { exchange: new SilentExchange('explain', caller), ...what, params: { arguments: args }, claim }
}
