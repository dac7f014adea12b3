import type { CallVariant } from '@hintgate/metadata'
import type { IncomingCall } from './incoming-call.ts'
import type { Outcome } from './outcome.ts'

/** Who writes calls down: before they are forwarded, and how they ended. */
export interface Recorder {
  intent?(call: IncomingCall, variant: CallVariant): void | Promise<void>
  outcome?(call: IncomingCall, outcome: Outcome): Promise<void> | undefined
}
