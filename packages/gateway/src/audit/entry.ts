import type { CallVariant } from '@hintgate/metadata'
import type { Reason } from '../policy/facts/facts.ts'
import type { Intent } from '../policy/facts/intent.ts'

export interface IntentEntry {
  /** One id from the first byte to here. */
  readonly requestId: string
  /** When the call came in, in milliseconds since the epoch. */
  readonly at: number
  /** The id of the principal: `agent:reporting-bot`. */
  readonly principal: string
  readonly session: string
  /** Which way it came in: `search`, `direct`. */
  readonly door: string
  readonly server: string
  readonly tool: string
  /** The tool as the caller wrote it. */
  readonly typed: string
  /** What is known of the tool; absent when there is no such tool, or nobody may know. */
  readonly known?: KnownTool | undefined
  readonly intent?: Intent | undefined
  /** As they came; they are masked before they are stored. */
  readonly arguments: unknown
  /** Absent: it did not come that far. */
  readonly verdict?: AuditVerdict | undefined
  readonly reasons: readonly Reason[]
  readonly approval?: string | undefined
}

export const AUDIT_VERDICTS = ['allow', 'confirm', 'deny'] as const

export type AuditVerdict = (typeof AUDIT_VERDICTS)[number]

export interface KnownTool {
  readonly fingerprint: string
  readonly variant: CallVariant
  /** Every effective hint with its source: `readOnly-default destructive+declared`. */
  readonly hints: string
  readonly title: string
  /** The author's template for a sentence: `Sent email to {to}`. */
  readonly action?: string | undefined
}

/** How a call ended. It says again what was called, because not every call has an intent before it. */
export interface OutcomeEntry {
  readonly call: IntentEntry
  readonly outcome: AuditOutcome
  /** The code of a refusal or of the server's error. */
  readonly code?: string | undefined
  /** For people: what went wrong. */
  readonly detail?: string | undefined
  readonly attempts: number
  readonly durationMs: number
  readonly resultBytes?: number | undefined
}

/**
 * `answered` and `tool_error`: the server answered, and said that it went well or not. `error`: it answered with an
 * error of the protocol. `refused`: nothing was forwarded. `failed`: it was, or may have been, and no answer reached
 * the caller. `asked`: the caller was asked for something and has to call again. `unknown`: the gateway ended before it
 * could tell.
 */
export const AUDIT_OUTCOMES = [
  'answered',
  'tool_error',
  'error',
  'refused',
  'failed',
  'asked',
  'cancelled',
  'unknown',
] as const

export type AuditOutcome = (typeof AUDIT_OUTCOMES)[number]

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
