import type { IntentEntry, OutcomeEntry } from './entry.ts'

/** Who writes calls down: before they are forwarded, and how they ended. */
export interface Recorder {
  /**
   * Before a call is forwarded. For what is not read-only the promise resolves when the row is durable; to anything but
   * undefined it means: do not forward, for this reason. It never rejects, and many calls may share it. Reads return undefined,
   * unless nothing can be recorded and they must wait for it.
   */
  intent(entry: IntentEntry): undefined | Promise<unknown>
  /** How it ended; also for refusals, which have no intent before them. Never rejects: what happened has happened. */
  outcome(entry: OutcomeEntry): undefined | Promise<unknown>
}
