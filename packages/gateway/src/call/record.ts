import type { Leave } from '../admission/turns.ts'
import type { AuditOutcome, IntentEntry, OutcomeEntry, Recorder } from '../audit/entry.ts'
import { knownTool, recordedOrigin } from '../audit/known-tool.ts'
import type { Classified, IncomingCall } from '../exchange/incoming-call.ts'
import type { Outcome, Refusal } from '../exchange/outcome.ts'
import type { Decision } from '../policy/decide.ts'
import type { Facts } from '../policy/facts/facts.ts'
import { isInputRequired } from '../protocol/eras.ts'
import { INTERNAL_ERROR, type Json } from '../protocol/messages.ts'
import { exactDigits, writeJson } from '../protocol/parse-json.ts'
import { isTask } from '../protocol/tasks.ts'
import { findingsOf } from '../results/findings-in.ts'
import type { SessionName } from '../sessions/session-memory.ts'
import type { StoredApproval } from '../store/approval-store.ts'
import { unrecorded } from './refusals.ts'

/** Records the intent, durably if necessary. A call that cannot be recorded must not be forwarded. */
export async function recordIntent(
  record: CallRecord,
  { recorder }: { readonly recorder: Recorder },
): Promise<Refusal | undefined> {
  // Every call that is forwarded must be recorded, even if it has no intent yet.
  const recording = recorder.intent(record.intent ?? entryOf(record))
  const failure = recording && (await recording)
  return failure === undefined ? undefined : unrecorded(record.call, record.classified)
}

/** Records the outcome and returns it, so that every path of a call ends here. */
export function recordOutcome(
  record: CallRecord,
  outcome: Outcome,
  recorder: Recorder,
): Outcome | Promise<Outcome> {
  const recorded = recorder.outcome(outcomeOf(record, outcome))
  return recorded === undefined ? outcome : recorded.then(() => outcome)
}

/** Records an internal error of the gateway as the end of the call, whatever the server did. */
export function recordFault(record: CallRecord, recorder: Recorder): undefined | Promise<unknown> {
  return recorder.outcome({
    call: entryOf(record),
    outcome: 'failed',
    detail: INTERNAL_ERROR.message,
    attempts: record.attempts,
    durationMs: Date.now() - record.at,
  })
}

/** Builds a call's audit entry. If the call was refused, the refusal has more detailed reasons than the decision. */
export function entryOf(
  { call, at, classified, facts, decision, approval }: CallRecord,
  refusal?: Refusal,
): IntentEntry {
  const { requestId, caller } = call.exchange
  const judged = refusal?.verdict === 'failed' ? undefined : refusal?.verdict
  return {
    requestId,
    at,
    principal: caller.principal.id,
    session: caller.session,
    door: doorOf(call),
    set: call.set?.name,
    server: call.server,
    tool: call.tool,
    typed: call.typed,
    known: classified && knownTool(classified.tool, classified.variant),
    intent: call.claim?.intent,
    asker: call.asker,
    arguments: call.params.arguments,
    verdict: judged ?? decision?.verdict,
    reasons: refusal?.reasons ?? decision?.reasons ?? [],
    // A plain read never needs approval because of its origin, so it is recorded without one, which saves a search.
    origin: facts?.isPlainRead === true ? undefined : recordedOrigin(facts?.origin),
    approval: approval?.id ?? refusal?.approval?.id,
    approver: approval?.decision,
  }
}

function outcomeOf(record: CallRecord, outcome: Outcome): OutcomeEntry {
  const refusal = outcome.kind === 'refused' ? outcome.refusal : undefined
  return {
    call: (refusal === undefined ? record.intent : undefined) ?? entryOf(record, refusal),
    outcome: kindOf(outcome, record.attempts),
    code: codeOf(outcome),
    detail: refusal?.message ?? (outcome.kind === 'error' ? outcome.error.message : undefined),
    findings: findingsOf(outcome),
    attempts: record.attempts,
    durationMs: Date.now() - record.at,
    resultBytes:
      outcome.kind === 'answered' ? (outcome.bytes ?? measure(outcome.result, outcome.text)) : undefined,
  }
}

function doorOf({ claim, isPreview }: IncomingCall): string {
  if (isPreview === true) return 'preview'
  return claim === undefined ? 'direct' : 'search'
}

/**
 * Returns the kind of outcome for the log. A call that was sent counts as failed, not refused, if its result was
 * withheld.
 */
function kindOf(outcome: Outcome, attempts: number): AuditOutcome {
  switch (outcome.kind) {
    case 'answered':
      // A task that was made before anything was sent waits for a person.
      if (isInputRequired(outcome.result) || (attempts === 0 && isTask(outcome.result))) return 'asked'
      return outcome.result.isError === true ? 'tool_error' : 'answered'
    case 'refused':
      return outcome.refusal.verdict === 'failed' || attempts > 0 ? 'failed' : 'refused'
    default:
      return outcome.kind
  }
}

function codeOf(outcome: Outcome): string | undefined {
  if (outcome.kind === 'refused') return outcome.refusal.code
  if (outcome.kind !== 'error') return undefined
  const { code } = outcome.error
  return exactDigits(code) ?? String(code)
}

function measure(result: Json, text: string | undefined): number {
  return Buffer.byteLength(text ?? writeJson(result))
}

/** The facts that are known about a call so far, for the audit log. Only `handleCall` fills it in. */
export interface CallRecord {
  /** The call as it arrived; once its tool is known, as it is judged and sent. */
  call: IncomingCall
  readonly at: number
  readonly session: SessionName
  classified: Classified | undefined
  /** The facts that the call was judged by. */
  facts: Facts | undefined
  decision: Decision | undefined
  approval: StoredApproval | undefined
  /** The entry that was recorded before the call was sent. */
  intent: IntentEntry | undefined
  /** Releases the call's turn, if it needed one. */
  releaseTurn: Leave | undefined
  /** The number of times that the call was sent to its server. */
  attempts: number
}

export function startRecord(call: IncomingCall): CallRecord {
  const { session, principal } = call.exchange.caller
  return {
    call,
    at: Date.now(),
    session: { session, principal: principal.id },
    classified: undefined,
    facts: undefined,
    decision: undefined,
    approval: undefined,
    intent: undefined,
    releaseTurn: undefined,
    attempts: 0,
  }
}
