import type { Classified } from './classify.ts'
import type { IncomingCall } from './incoming-call.ts'
import type { Outcome } from './outcome.ts'
import type { Recorder } from './recorder.ts'

/** Written before the call is forwarded; where the record must be durable, the promise is waited for. */
export function recordIntent({ call, variant }: Classified, recorder: Recorder): void | Promise<void> {
  return recorder.intent?.(call, variant)
}

/** Hands the outcome on, so that no path can end without passing here. */
export function recordOutcome(
  call: IncomingCall,
  outcome: Outcome,
  recorder: Recorder,
): Outcome | Promise<Outcome> {
  const recorded = recorder.outcome?.(call, outcome)
  return recorded === undefined ? outcome : recorded.then(() => outcome)
}
