import type { CatalogTool } from '../catalog/catalog.ts'
import { writeParamHeaders } from '../catalog/param-headers.ts'
import type { UpstreamServer } from '../upstream/upstream-server.ts'
import type { CallDeps } from './call-deps.ts'
import { checkArguments } from './check-arguments.ts'
import { type Classified, classify } from './classify.ts'
import { confirm } from './confirm.ts'
import { decide } from './decide.ts'
import { forward } from './forward.ts'
import type { IncomingCall } from './incoming-call.ts'
import { inspect } from './inspect.ts'
import type { Outcome, Refusal } from './outcome.ts'
import { recordIntent, recordOutcome } from './record.ts'
import { resolve } from './resolve.ts'
import { toOutcome } from './to-outcome.ts'

/**
 * The corridor. Every tool call, whichever door it came in by, walks these steps in this order; the order is a
 * security property. Each step either goes on or ends the call with an outcome, and every ending is recorded.
 */
export async function handleCall(call: IncomingCall, deps: CallDeps): Promise<Outcome> {
  const target = await resolve(call, deps)
  if ('refusal' in target) return recordOutcome(call, refuse(target.refusal), deps.recorder)

  const classified = classify(call, target.tool)
  const verdict = confirm(decide(classified, deps.intentMode()))
  if (verdict.kind === 'deny') return recordOutcome(call, refuse(verdict.refusal), deps.recorder)
  const wrong = checkArguments(classified, target.server)
  if (wrong !== undefined) return recordOutcome(call, refuse(wrong), deps.recorder)

  const leave = await deps.turns.take(classified, target.server)
  if (leave === 'cancelled') return recordOutcome(call, { kind: 'cancelled' }, deps.recorder)
  try {
    await recordIntent(classified, deps.recorder)
    const reply = await forward(call.exchange, requestOf(classified, target))
    const { results, sessions } = deps
    const { notes } = verdict
    const outcome = await inspect(toOutcome(reply, classified), classified, { notes, results, sessions })
    return await recordOutcome(call, outcome, deps.recorder)
  } finally {
    leave?.()
  }
}

function refuse(refusal: Refusal): Outcome {
  return { kind: 'refused', refusal }
}

function requestOf({ call }: Classified, { server, tool }: { server: UpstreamServer; tool: CatalogTool }) {
  return {
    server,
    method: 'tools/call',
    params: { ...call.params, name: tool.name },
    headers: writeParamHeaders(tool.paramHeaders, call.params.arguments),
  }
}
