import type { IncomingCall } from '../exchange/incoming-call.ts'
import type { Outcome } from '../exchange/outcome.ts'
import { decide } from '../policy/decide.ts'
import { confirm } from './confirm.ts'
import { forward } from './forward.ts'
import { inspect } from './inspect.ts'

/** The steps of the corridor that decide something or take their time: who looks on wraps them from outside. */
export const STEPS = { decide, confirm, forward, inspect }

export type Steps = typeof STEPS

/** Lets a call walk the corridor, with the steps as they are or with wrapped ones. */
export type Watch = (call: IncomingCall, walk: (steps: Steps) => Promise<Outcome>) => Promise<Outcome>

export interface Watched {
  /** Absent: nobody looks on. */
  readonly watch?: Watch | undefined
}
