import type { CatalogTool } from '../catalog/catalog.ts'
import { writeParamHeaders } from '../catalog/param-headers.ts'
import type { UpstreamServer } from '../upstream/upstream-server.ts'
import type { CallDeps } from './call-deps.ts'
import { type Classified, classify } from './classify.ts'
import { confirm } from './confirm.ts'
import { decide } from './decide.ts'
import { forward } from './forward.ts'
import type { IncomingCall } from './incoming-call.ts'
import { inspect } from './inspect.ts'
import type { Outcome } from './outcome.ts'
import { recordIntent, recordOutcome } from './record.ts'
import { resolve } from './resolve.ts'
import { toOutcome } from './to-outcome.ts'

/**
 * The corridor. Every tool call, whichever door it came in by, walks these steps in this order; the order is a
 * security property. Each step either goes on or ends the call with an outcome, and every ending is recorded.
 */
export async function handleCall(call: IncomingCall, deps: CallDeps): Promise<Outcome> {
  const target = await resolve(call, deps)
  if ('refusal' in target)
    return recordOutcome(call, { kind: 'refused', refusal: target.refusal }, deps.recorder)

  const classified = classify(call, target.tool)
  const verdict = confirm(decide(classified))
  if (verdict.kind === 'deny')
    return recordOutcome(call, { kind: 'refused', refusal: verdict.refusal }, deps.recorder)

  const recorded = recordIntent(classified, deps.recorder)
  if (recorded !== undefined) await recorded
  const reply = await forward(call.exchange, requestOf(classified, target))
  const outcome = inspect(toOutcome(reply, classified))
  return recordOutcome(call, outcome, deps.recorder)
}

function requestOf({ call }: Classified, { server, tool }: { server: UpstreamServer; tool: CatalogTool }) {
  return {
    server,
    method: 'tools/call',
    params: { ...call.params, name: tool.name },
    headers: writeParamHeaders(tool.paramHeaders, call.params.arguments),
  }
}
