import type { Classified } from './classify.ts'
import type { IncomingCall } from './incoming-call.ts'
import type { Outcome } from './outcome.ts'
import type { CallRecord, Recorder } from './recorder.ts'

export async function recordIntent({ call, variant }: Classified, recorder: Recorder): Promise<void> {
  await recorder.write({ ...about(call), phase: 'intent', variant })
}

/** Hands the outcome on, so that no path can end without passing here. */
export async function recordOutcome(
  call: IncomingCall,
  outcome: Outcome,
  recorder: Recorder,
): Promise<Outcome> {
  const detail = outcome.kind === 'refused' ? outcome.refusal.code : outcome.kind
  await recorder.write({ ...about(call), phase: 'outcome', outcome: detail })
  return outcome
}

function about({
  exchange,
  server,
  tool,
}: IncomingCall): Pick<CallRecord, 'requestId' | 'principal' | 'server' | 'tool'> {
  return { requestId: exchange.requestId, principal: exchange.caller.principal.id, server, tool }
}
