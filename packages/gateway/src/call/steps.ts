import type { IncomingCall } from '../exchange/incoming-call.ts'
import type { Outcome } from '../exchange/outcome.ts'
import { decide } from '../policy/decide.ts'
import { confirm } from './confirm.ts'
import { forward } from './forward.ts'
import { inspect } from './inspect.ts'

/** The steps of a call that decide something or take time. They are in a table so that telemetry can wrap them. */
export const STEPS = { decide, confirm, forward, inspect }

export type Steps = typeof STEPS

/** Measures a call: runs it with steps that are wrapped for telemetry. */
export type Watch = (call: IncomingCall, walk: (steps: Steps) => Promise<Outcome>) => Promise<Outcome>

export interface Watched {
  /** Absent without telemetry. */
  readonly watch?: Watch | undefined
}
