import { CALL_VARIANTS } from '@hintgate/metadata'
import { type RefusalDeps, recordRefusal } from '../../../call/record-refusal.ts'
import type { Exchange } from '../../../exchange/exchange.ts'
import type { IncomingCall } from '../../../exchange/incoming-call.ts'
import { type Refusal, refusalResult } from '../../../exchange/outcome.ts'
import type { Answer } from '../../../exchange/surface.ts'
import { isJsonObject } from '../../../protocol/messages.ts'
import { inEraOf, type Origin } from '../answer-call.ts'
import { nameCall } from '../name-call.ts'

/**
 * Refuses a call to one of this surface's own tools before it gets to the usual checks, and records it like any other
 * refusal.
 */
export async function refuseHere(
  exchange: Exchange,
  refusal: Refusal,
  { origin, deps }: { readonly origin: Origin; readonly deps: RefusalDeps & Pick<IncomingCall, 'set'> },
): Promise<Answer> {
  await recordRefusal(callOf(exchange, deps.set), refusal, deps)
  return inEraOf(exchange.caller, 'tools/call', refusalResult(refusal), origin)
}

/**
 * Returns the call to record. If the request was for `call_tool_…` and named a tool, the call is recorded under that
 * tool's name.
 */
function callOf(exchange: Exchange, set: IncomingCall['set']): IncomingCall {
  const { name, arguments: args } = exchange.params ?? {}
  const variant = CALL_VARIANTS.find(known => known === name)
  if (variant !== undefined && isJsonObject(args) && typeof args.name === 'string') {
    const typed = args.name
    return { exchange, ...nameCall(typed, set), params: { arguments: args.args }, claim: { variant } }
  }
  return ownCall(exchange, { name: String(name), args, set })
}

/** Returns a call to one of this surface's own tools, which are all read-only. */
export function ownCall(
  exchange: Exchange,
  { name, args, set }: Pick<IncomingCall, 'set'> & { readonly name: string; readonly args: unknown },
): IncomingCall {
  const claim = { variant: 'call_tool_read' } as const
  return { exchange, server: '', tool: name, typed: name, params: { arguments: args }, claim, set }
}
