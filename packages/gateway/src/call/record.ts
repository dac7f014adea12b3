import { HINT_NAMES } from '@hintgate/metadata'
import type {
  AuditOutcome,
  AuditVerdict,
  IntentEntry,
  KnownTool,
  OutcomeEntry,
  Recorder,
} from '../audit/entry.ts'
import type { CatalogTool } from '../catalog/catalog.ts'
import type { Classified } from '../exchange/classified.ts'
import type { IncomingCall } from '../exchange/incoming-call.ts'
import type { Outcome, Refusal } from '../exchange/outcome.ts'
import { isInputRequired } from '../protocol/eras.ts'
import { INTERNAL_ERROR, type Json } from '../protocol/messages.ts'
import { exactDigits, writeJson } from '../protocol/parse-json.ts'
import type { Walk } from './walk.ts'

/**
 * Written before the call is forwarded; where the record must be durable, it is waited for. Whatever comes of waiting: it
 * could not be recorded, so it must not be forwarded.
 */
export function recordIntent(walk: Walk, recorder: Recorder): undefined | Promise<unknown> {
  walk.entry = entryOf(walk)
  return recorder.intent(walk.entry)
}

/** Hands the outcome on, so that no path can end without passing here. */
export function recordOutcome(walk: Walk, outcome: Outcome, recorder: Recorder): Outcome | Promise<Outcome> {
  const recorded = recorder.outcome(outcomeOf(walk, outcome))
  return recorded === undefined ? outcome : recorded.then(() => outcome)
}

/** Something went wrong in here, whatever the server did: the call ends in the log, too. */
export function recordFault(walk: Walk, recorder: Recorder): undefined | Promise<unknown> {
  return recorder.outcome({
    call: entryOf(walk),
    outcome: 'failed',
    detail: INTERNAL_ERROR.message,
    attempts: walk.attempts,
    durationMs: Date.now() - walk.at,
  })
}

/** A refusal says more about the verdict than the decision before it, which it may have come after. */
function entryOf({ call, at, classified, decision, approval }: Walk, refusal?: Refusal): IntentEntry {
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
    approval: approval?.id ?? refusal?.approval?.id,
  }
}

function outcomeOf(walk: Walk, outcome: Outcome): OutcomeEntry {
  const refusal = outcome.kind === 'refused' ? outcome.refusal : undefined
  return {
    call: (refusal === undefined ? walk.entry : undefined) ?? entryOf(walk, refusal),
    outcome: kindOf(outcome, walk.attempts),
    code: codeOf(outcome),
    detail: refusal?.message ?? (outcome.kind === 'error' ? outcome.error.message : undefined),
    attempts: walk.attempts,
    durationMs: Date.now() - walk.at,
    resultBytes:
      outcome.kind === 'answered' ? (outcome.bytes ?? measure(outcome.result, outcome.text)) : undefined,
  }
}

function doorOf({ claim, isPreview }: IncomingCall): string {
  if (isPreview === true) return 'preview'
  return claim === undefined ? 'direct' : 'search'
}

/** Made at a tool's first call and kept as long as its definition is. */
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

/** What was sent was not refused, even if its result was held back. */
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

/**
 * Nothing happens that cannot be written down. Why it cannot is for the operator, who is told by the recorder; an agent has
 * no use for the state of our disk.
 */
export function unrecorded({ typed }: IncomingCall, classified: Classified | undefined): Refusal {
  return {
    code: 'overloaded',
    message: `The call of ${JSON.stringify(typed)} was not forwarded, because it cannot be recorded at the moment.`,
    tool: typed,
    ...(classified === undefined ? {} : { variant: classified.variant }),
    verdict: 'failed',
    reasons: [{ rule: 'audit', source: 'gateway', text: 'what is not recorded is not executed' }],
    remedy: 'Nothing was executed. Try again later, and tell the operator if it stays like this.',
  }
}
