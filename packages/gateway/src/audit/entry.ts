import type { CallVariant } from '@hintgate/metadata'
import type { OriginFacts, Reason } from '../policy/facts/facts.ts'
import type { Intent } from '../policy/facts/intent.ts'

export interface IntentEntry {
  /** The same id from the first byte of the request to here. */
  readonly requestId: string
  /** When the call arrived, in milliseconds since the epoch. */
  readonly at: number
  /** The id of the principal: `agent:reporting-bot`. */
  readonly principal: string
  readonly session: string
  /** The surface: `search`, `direct`. */
  readonly door: string
  readonly server: string
  readonly tool: string
  /** The tool as the caller wrote it. */
  readonly typed: string
  /** Data about the tool; undefined if it does not exist or is outside the caller's scope. */
  readonly known?: KnownTool | undefined
  readonly intent?: Intent | undefined
  /** As received; they are masked before they are stored. */
  readonly arguments: unknown
  /** Undefined if the call was refused before a verdict. */
  readonly verdict?: AuditVerdict | undefined
  readonly reasons: readonly Reason[]
  /** Which text, in an earlier result, asks for the call. */
  readonly origin?: RecordedOrigin | undefined
  readonly approval?: string | undefined
  /** Who approved it, and where. */
  readonly approved?: { readonly by: string; readonly via: string } | undefined
}

/** Without the words of the text and the values it names: they are in the call that returned it, or masked. */
export type RecordedOrigin = Omit<OriginFacts, 'values' | 'passage'>

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

/** How a call ended. It repeats the call, because not every call has an intent. */
export interface OutcomeEntry {
  readonly call: IntentEntry
  readonly outcome: AuditOutcome
  /** The code of a refusal or of the server's error. */
  readonly code?: string | undefined
  /** What went wrong, for people. */
  readonly detail?: string | undefined
  readonly attempts: number
  readonly durationMs: number
  readonly resultBytes?: number | undefined
}

/**
 * `answered` and `tool_error`: the server answered with a success or a failure. `error`: it answered with a protocol
 * error. `refused`: nothing was forwarded. `failed`: the call was or may have been forwarded, and no answer reached
 * the caller. `asked`: the caller was asked for something and must call again. `unknown`: the gateway ended before the
 * outcome was known.
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
   * Call this before forwarding. For a call that is not read-only, the promise resolves to undefined when the row is
   * durable, or to the reason not to forward. It never rejects, and calls may share it. Returns undefined for reads,
   * unless recording fails and they must wait for it.
   */
  intent(entry: IntentEntry): undefined | Promise<unknown>
  /**
   * How the call ended, also for refusals, which have no intent. Never rejects, because the outcome cannot be undone.
   */
  outcome(entry: OutcomeEntry): undefined | Promise<unknown>
}
