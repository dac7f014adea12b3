import { writeJson } from '../protocol/parse-json.ts'
import type { AuditContent } from '../store/audit-store.ts'
import type { IntentEntry, KnownTool, OutcomeEntry } from './entry.ts'
import { type MaskText, maskLine, maskValue } from './mask.ts'
import { quote } from './quote.ts'

/** Names may come from anywhere. What some database cannot keep as it is would look like a forged row later. */
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const UNKEEPABLE = /[\u0000-\u001f\u007f]/g
/** These, and halves of characters. */
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const DOUBTFUL = /[\u0000-\u001f\u007f\ud800-\udfff]/
const LONG_NAME = 256

export function writeIntent(entry: IntentEntry, maskText: MaskText): AuditContent {
  const args = maskArguments(entry, maskText)
  const body = `{${describeCall(entry, maskText)}${sizeOf(args)}${textOf(args)}}`
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
  if (hasIntent) return content(call, { kind: 'outcome', outcome, code, body: `{${ending}}` }, maskText)
  const args = maskArguments(call, maskText)
  const body = `{${describeCall(call, maskText)}${sizeOf(args)},${ending}${textOf(args)}}`
  return content(call, { kind: 'call', outcome, code, body }, maskText)
}

/** Ends a call that nobody else can end any more. */
export function writeUnknown(intent: AuditContent, note: string): AuditContent {
  return { ...intent, kind: 'outcome', outcome: 'unknown', code: '', body: JSON.stringify({ detail: note }) }
}

/** Spelled out: copying properties by `...` takes longer than writing the row. */
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

/** Members of a JSON object, put together as text: most of what is said of a call is the same for all calls of a tool. */
function describeCall(entry: IntentEntry, maskText: MaskText): string {
  const { known, intent, reasons } = entry
  const said =
    intent?.reason === undefined ? intent : { ...intent, reason: maskLine(intent.reason, maskText) }
  return (
    `"session":${quote(cut(entry.session))},"door":${quote(entry.door)}` +
    describeTyped(entry, maskText) +
    (known === undefined ? '' : describeTool(known)) +
    member('intent', said) +
    (reasons.length === 0 ? '' : member('reasons', reasons)) +
    member('approval', entry.approval)
  )
}

/** Left out where it says nothing more; the name of a tool that there is need not be looked through. */
function describeTyped({ typed, server, tool, known }: IntentEntry, maskText: MaskText): string {
  if (known !== undefined && typed === tool) return `,"typed":${quote(cut(typed))}`
  return typed === `${server}:${tool}` ? '' : member('typed', maskLine(typed, maskText, LONG_NAME))
}

const toolTexts = new WeakMap<KnownTool, string>()

function describeTool(known: KnownTool): string {
  const text = toolTexts.get(known)
  if (text !== undefined) return text
  const { title, action, fingerprint, hints } = known
  const written =
    member('title', title) +
    member('action', action) +
    member('fingerprint', fingerprint) +
    member('hints', hints)
  toolTexts.set(known, written)
  return written
}

function describeEnding(
  { attempts, durationMs, resultBytes, detail }: OutcomeEntry,
  maskText: MaskText,
): string {
  return (
    `"attempts":${attempts},"ms":${Math.round(durationMs * 100) / 100}` +
    (resultBytes === undefined ? '' : `,"resultBytes":${resultBytes}`) +
    (detail === undefined ? '' : member('detail', maskLine(detail, maskText)))
  )
}

function member(name: string, value: unknown): string {
  return value === undefined ? '' : `,"${name}":${JSON.stringify(value)}`
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

function sizeOf(args: WrittenArguments | undefined): string {
  return args === undefined ? '' : `,"argsBytes":${args.bytes}`
}

/** As they are written: numbers in them keep every digit. */
function textOf(args: WrittenArguments | undefined): string {
  return args === undefined ? '' : `,"args":${args.text}`
}

function cut(text: string): string {
  return text.length <= LONG_NAME ? text : `${text.slice(0, LONG_NAME)}…`
}

function keepable(text: string): string {
  const short = cut(text)
  if (!DOUBTFUL.test(short)) return short
  return short.toWellFormed().replaceAll(UNKEEPABLE, '\uFFFD')
}
