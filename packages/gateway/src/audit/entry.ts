import type { CallVariant } from '@hintgate/metadata'
import type { OriginFacts, Reason } from '../policy/facts/facts.ts'
import type { Intent } from '../policy/facts/intent.ts'
import type { ApprovalDecision } from '../store/approval-store.ts'

export interface IntentEntry {
  /** The request's id, which is the same everywhere from the request's arrival to this entry. */
  readonly requestId: string
  /** The time at which the call arrived, in milliseconds since the epoch. */
  readonly at: number
  /** The principal's id, such as `agent:reporting-bot`. */
  readonly principal: string
  readonly session: string
  /** The surface, such as `search` or `direct`. */
  readonly door: string
  /** The toolset whose endpoint received the call. */
  readonly set?: string | undefined
  readonly server: string
  readonly tool: string
  /** The tool's name as the caller wrote it. */
  readonly typed: string
  /** Data about the tool; undefined if it does not exist or is outside the caller's scope. */
  readonly known?: KnownTool | undefined
  readonly intent?: Intent | undefined
  /** The app that makes the call, such as `app clock ui://get-time/app.html`. Undefined if the model makes it. */
  readonly asker?: string | undefined
  /** The arguments as received, with those that a toolset fixes; they are masked before they are stored. */
  readonly arguments: unknown
  /** Undefined if the call was refused before a verdict. */
  readonly verdict?: AuditVerdict | undefined
  readonly reasons: readonly Reason[]
  /** The position of the text, in an earlier result, that asks for the call. */
  readonly origin?: RecordedOrigin | undefined
  readonly approval?: string | undefined
  /** The decision about the approval: who made it, through which channel, and when. */
  readonly approver?: ApprovalDecision | undefined
}

/** The origin of a call without the text and its values, which are in the record of the call that returned the text. */
export type RecordedOrigin = Omit<OriginFacts, 'values' | 'passage'>

export const AUDIT_VERDICTS = ['allow', 'confirm', 'deny'] as const

type AuditVerdict = (typeof AUDIT_VERDICTS)[number]

export const AUDIT_SEVERITIES = ['info', 'notice', 'warning'] as const

export interface KnownTool {
  readonly fingerprint: string
  readonly variant: CallVariant
  /** Every effective hint with its source, such as `readOnly-default destructive+declared`. */
  readonly hints: string
  readonly title: string
  /** The author's template for a sentence, such as `Sent email to {to}`. */
  readonly action?: string | undefined
}

export interface ResultFinding {
  /** One of `instructions`, `hidden`, `secrets`, `pii` and `schema`. */
  readonly kind: string
  readonly rule: string
  readonly count: number
  readonly action: 'flagged' | 'redacted' | 'stripped' | 'marked' | 'blocked'
}

/** The outcome of a call. It contains the call as well, because not every call has an intent. */
export interface OutcomeEntry {
  readonly call: IntentEntry
  readonly outcome: AuditOutcome
  /** The code of a refusal or of the server's error. */
  readonly code?: string | undefined
  /** An explanation of the failure, for people. */
  readonly detail?: string | undefined
  readonly attempts: number
  readonly durationMs: number
  readonly resultBytes?: number | undefined
  /** The findings in the result: kinds and counts, never the text. */
  readonly findings?: readonly ResultFinding[] | undefined
  /** The number of refusals that this entry counts. Absent for a single call. */
  readonly repeats?: number | undefined
}

/**
 * The outcomes of a call. `answered` and `tool_error`: the server answered with a success or a failure. `error`: the
 * server answered with a protocol error. `refused`: the call was not forwarded. `failed`: the call was, or might have
 * been, forwarded, and no answer reached the caller. `asked`: the caller was asked for input and must call again.
 * `unknown`: the gateway ended before the outcome was known.
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
   * Records a call before it is forwarded. For a call that is not read-only, the promise resolves to undefined when the
   * row is durable, or to the reason not to forward the call; it never rejects, and several calls can share it. For a
   * read, returns undefined, unless recording fails and the read must wait until it works again.
   */
  intent(entry: IntentEntry): undefined | Promise<unknown>
  /**
   * Records how a call ended, including refusals, which have no intent. Never rejects, because an outcome cannot be
   * undone.
   */
  outcome(entry: OutcomeEntry): undefined | Promise<unknown>
}
