import { CALL_VARIANTS } from '@hintgate/metadata'
import { type RefusalDeps, recordRefusal } from '../../../call/record-refusal.ts'
import type { Exchange } from '../../../exchange/exchange.ts'
import type { IncomingCall } from '../../../exchange/incoming-call.ts'
import { type Refusal, refusalResult } from '../../../exchange/outcome.ts'
import type { Answer } from '../../../exchange/surface.ts'
import { isJsonObject } from '../../../protocol/messages.ts'
import { splitId } from '../../../protocol/split-id.ts'
import { inEraOf, type Origin } from '../answer-call.ts'

/** Refuses a call to one of this surface's tools before the corridor, and records the call like any other refusal. */
export async function refuseHere(
  exchange: Exchange,
  refusal: Refusal,
  { origin, deps }: { readonly origin: Origin; readonly deps: RefusalDeps },
): Promise<Answer> {
  await recordRefusal(callOf(exchange), refusal, deps)
  return inEraOf(exchange.caller, 'tools/call', refusalResult(refusal), origin)
}

/** The call to record: under the name of the tool that it is for, if `call_tool_…` was given one. */
function callOf(exchange: Exchange): IncomingCall {
  const { name, arguments: args } = exchange.params ?? {}
  const variant = CALL_VARIANTS.find(known => known === name)
  if (variant !== undefined && isJsonObject(args) && typeof args.name === 'string') {
    const typed = args.name
    return { exchange, ...splitId(typed), typed, params: { arguments: args.args }, claim: { variant } }
  }
  return ownCall(exchange, String(name), args)
}

/** A call to one of this surface's own tools, which only read. */
export function ownCall(exchange: Exchange, name: string, args: unknown): IncomingCall {
  const claim = { variant: 'call_tool_read' } as const
  return { exchange, server: '', tool: name, typed: name, params: { arguments: args }, claim }
}
