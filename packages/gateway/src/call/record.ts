import { HINT_NAMES } from '@hintgate/metadata'
import type { Leave } from '../admission/turns.ts'
import type {
  AuditOutcome,
  AuditVerdict,
  IntentEntry,
  KnownTool,
  OutcomeEntry,
  RecordedOrigin,
  Recorder,
} from '../audit/entry.ts'
import type { CatalogTool } from '../catalog/catalog.ts'
import type { Classified, IncomingCall } from '../exchange/incoming-call.ts'
import type { Outcome, Refusal } from '../exchange/outcome.ts'
import type { Decision } from '../policy/decide.ts'
import type { Facts, OriginFacts } from '../policy/facts/facts.ts'
import { isInputRequired } from '../protocol/eras.ts'
import { INTERNAL_ERROR, type Json } from '../protocol/messages.ts'
import { exactDigits, writeJson } from '../protocol/parse-json.ts'
import type { SessionName } from '../sessions/session-memory.ts'
import type { StoredApproval } from '../store/approval-store.ts'
import { unrecorded } from './refusals.ts'

/** Waits if the record must be durable. A call that cannot be recorded must not be forwarded. */
export async function recordIntent(
  record: CallRecord,
  { recorder }: { readonly recorder: Recorder },
): Promise<Refusal | undefined> {
  // Nothing is forwarded unrecorded, even if no intent exists yet.
  const recording = recorder.intent(record.intent ?? entryOf(record))
  const failure = recording && (await recording)
  return failure === undefined ? undefined : unrecorded(record.call, record.classified)
}

/** Returns the outcome after recording it, so that every path passes here. */
export function recordOutcome(
  record: CallRecord,
  outcome: Outcome,
  recorder: Recorder,
): Outcome | Promise<Outcome> {
  const recorded = recorder.outcome(outcomeOf(record, outcome))
  return recorded === undefined ? outcome : recorded.then(() => outcome)
}

/** A fault of the gateway, whatever the server did: the call ends in the log as well. */
export function recordFault(record: CallRecord, recorder: Recorder): undefined | Promise<unknown> {
  return recorder.outcome({
    call: entryOf(record),
    outcome: 'failed',
    detail: INTERNAL_ERROR.message,
    attempts: record.attempts,
    durationMs: Date.now() - record.at,
  })
}

/** The audit entry of a call. A refusal has more details about the verdict than the decision before it. */
export function entryOf(
  { call, at, classified, facts, decision, approval }: CallRecord,
  refusal?: Refusal,
): IntentEntry {
  const { requestId, caller } = call.exchange
  return {
    requestId,
    at,
    principal: caller.principal.id,
    session: caller.session,
    door: doorOf(call),
    server: call.server,
    tool: call.tool,
    typed: call.typed,
    known: classified === undefined ? undefined : knownOf(classified),
    intent: call.claim?.intent,
    arguments: call.params.arguments,
    verdict: (refusal === undefined ? undefined : verdictOf(refusal)) ?? decision?.verdict,
    reasons: refusal?.reasons ?? decision?.reasons ?? [],
    origin: facts?.origin && recordedOrigin(facts.origin),
    approval: approval?.id ?? refusal?.approval?.id,
    approved: approvedBy(approval),
  }
}

function approvedBy(approval: CallRecord['approval']): IntentEntry['approved'] {
  if (approval?.decision === undefined) return undefined
  const { by, via } = approval.decision
  return { by, via }
}

function recordedOrigin({ kind, argument, server, tool, request, at }: OriginFacts): RecordedOrigin {
  return { kind, argument, server, tool, request, at }
}

function outcomeOf(record: CallRecord, outcome: Outcome): OutcomeEntry {
  const refusal = outcome.kind === 'refused' ? outcome.refusal : undefined
  return {
    call: (refusal === undefined ? record.intent : undefined) ?? entryOf(record, refusal),
    outcome: kindOf(outcome, record.attempts),
    code: codeOf(outcome),
    detail: refusal?.message ?? (outcome.kind === 'error' ? outcome.error.message : undefined),
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

/** Created at a tool's first call, and kept as long as its definition. */
const known = new WeakMap<CatalogTool, KnownTool[]>()

function knownOf({ tool, variant }: Classified): KnownTool {
  const variants = known.get(tool) ?? []
  const found = variants.find(one => one.variant === variant)
  if (found !== undefined) return found
  const made = { ...describeTool(tool), variant }
  known.set(tool, [...variants, made])
  return made
}

function describeTool({ fingerprint, assessment }: CatalogTool): KnownTool {
  const { variant, title, effective, declared } = assessment
  const hints = HINT_NAMES.map(name => {
    const { value, source } = effective[name]
    return `${name}${value ? '+' : '-'}${source}`
  })
  return { fingerprint, variant, hints: hints.join(' '), title, action: declared.action }
}

function verdictOf({ verdict }: Refusal): AuditVerdict | undefined {
  return verdict === 'failed' ? undefined : verdict
}

/** A sent call counts as failed, not refused, even if its result was held back. */
function kindOf(outcome: Outcome, attempts: number): AuditOutcome {
  switch (outcome.kind) {
    case 'answered':
      if (isInputRequired(outcome.result)) return 'asked'
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

/** What is known about a call so far, for the audit log. Only `handleCall` fills it in, step by step. */
export interface CallRecord {
  readonly call: IncomingCall
  readonly at: number
  readonly session: SessionName
  classified: Classified | undefined
  /** What the call was judged by. */
  facts: Facts | undefined
  decision: Decision | undefined
  approval: StoredApproval | undefined
  /** The entry that was recorded before the call was sent. */
  intent: IntentEntry | undefined
  /** Releases the call's turn, if it needed one. */
  releaseTurn: Leave | undefined
  /** How often the call was sent to its server. */
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
