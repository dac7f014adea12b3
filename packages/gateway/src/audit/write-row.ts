import { writeJson } from '../protocol/parse-json.ts'
import type { AuditContent } from '../store/audit-store.ts'
import type { IntentEntry, OutcomeEntry } from './entry.ts'
import { type MaskText, maskLine, maskValue } from './mask.ts'

/** Names may come from anywhere. What some database cannot keep as it is would look like a forged row later. */
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const UNKEEPABLE = /[\u0000-\u001f\u007f]/g
const LONG_NAME = 256

export function writeIntent(entry: IntentEntry, maskText: MaskText): AuditContent {
  const body = writeBody(describeCall(entry, maskText), maskArguments(entry, maskText))
  return content(entry, { kind: 'intent', outcome: '', code: '', body }, maskText)
}

/** The short form where an intent has said the rest, one row for everything where none has. */
export function writeOutcome(
  entry: OutcomeEntry,
  maskText: MaskText,
  { hasIntent }: { readonly hasIntent: boolean },
): AuditContent {
  const { call, outcome, code = '' } = entry
  const ending = describeEnding(entry, maskText)
  if (hasIntent)
    return content(call, { kind: 'outcome', outcome, code, body: JSON.stringify(ending) }, maskText)
  const body = writeBody(Object.assign(describeCall(call, maskText), ending), maskArguments(call, maskText))
  return content(call, { kind: 'call', outcome, code, body }, maskText)
}

/** Ends a call that nobody else can end any more. */
export function writeUnknown(intent: AuditContent, note: string): AuditContent {
  return { ...intent, kind: 'outcome', outcome: 'unknown', code: '', body: JSON.stringify({ detail: note }) }
}

/** Spelled out, here and in what follows: copying properties by `...` takes longer than writing the row. */
function content(
  entry: IntentEntry,
  { kind, outcome, code, body }: Pick<AuditContent, 'kind' | 'outcome' | 'code' | 'body'>,
  maskText: MaskText,
): AuditContent {
  return {
    at: Math.round(entry.at),
    kind,
    request: keepable(entry.requestId),
    agent: keepable(entry.principal),
    server: keepable(entry.server),
    // A name that nobody knows may be anything.
    tool: keepable(entry.known === undefined ? maskLine(entry.tool, maskText, LONG_NAME) : entry.tool),
    variant: entry.known?.variant.slice('call_tool_'.length) ?? '',
    verdict: entry.verdict ?? '',
    outcome,
    code: keepable(code),
    body,
  }
}

function describeCall(entry: IntentEntry, maskText: MaskText): Record<string, unknown> {
  const { known, intent, server, tool, typed } = entry
  return {
    session: cut(entry.session),
    door: entry.door,
    typed: typed === `${server}:${tool}` ? undefined : maskLine(typed, maskText, LONG_NAME),
    title: known?.title,
    action: known?.action,
    fingerprint: known?.fingerprint,
    hints: known?.hints,
    intent: intent?.reason === undefined ? intent : { ...intent, reason: maskLine(intent.reason, maskText) },
    reasons: entry.reasons.length === 0 ? undefined : entry.reasons,
    approval: entry.approval,
    argsBytes: undefined,
  }
}

function describeEnding({ attempts, durationMs, resultBytes, detail }: OutcomeEntry, maskText: MaskText) {
  return {
    attempts,
    ms: Math.round(durationMs * 100) / 100,
    resultBytes,
    detail: detail === undefined ? undefined : maskLine(detail, maskText),
  }
}

interface WrittenArguments {
  /** As JSON, masked. */
  readonly text: string
  /** Of what came in. */
  readonly bytes: number
}

function maskArguments(entry: IntentEntry, maskText: MaskText): WrittenArguments | undefined {
  if (entry.arguments === undefined) return undefined
  const masked = maskValue(entry.arguments, maskText)
  const text = writeJson(masked)
  // Mostly nothing is masked, and then one text serves for both.
  const whole = masked === entry.arguments ? text : writeJson(entry.arguments)
  return { text, bytes: Buffer.byteLength(whole) }
}

/** Arguments are put in as text: numbers in them keep every digit, and nothing is written twice. */
function writeBody(fields: Record<string, unknown>, args: WrittenArguments | undefined): string {
  if (args === undefined) return JSON.stringify(fields)
  fields.argsBytes = args.bytes
  return `${JSON.stringify(fields).slice(0, -1)},"args":${args.text}}`
}

function cut(text: string): string {
  return text.length <= LONG_NAME ? text : `${text.slice(0, LONG_NAME)}…`
}

function keepable(text: string): string {
  const short = cut(text)
  const whole = short.isWellFormed() ? short : short.toWellFormed()
  return whole.replaceAll(UNKEEPABLE, '\uFFFD')
}
