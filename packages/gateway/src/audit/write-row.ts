import { writeJson } from '../protocol/parse-json.ts'
import { type AuditContent, type Shape, shapeOf } from '../store/audit-log/shape.ts'
import type { IntentEntry, KnownTool, OutcomeEntry, ResultFinding } from './entry.ts'
import { type MaskText, maskLine, maskValue } from './mask.ts'

/**
 * Matches characters in names that some databases cannot store. A name that the database changed would look tampered
 * with.
 */
// oxlint-disable-next-line no-control-regex -- the pattern matches control characters
const UNKEEPABLE = /[\u0000-\u001f\u007f]/g
/** The same characters, plus lone surrogates. */
// oxlint-disable-next-line no-control-regex -- the pattern matches control characters
const DOUBTFUL = /[\u0000-\u001f\u007f\ud800-\udfff]/
const LONG_NAME = 256

export function writeIntent(entry: IntentEntry, maskText: MaskText): AuditContent {
  const args = maskArguments(entry, maskText)
  const shape = shapeFor(entry, { kind: 'intent', outcome: '', code: '' }, maskText)
  return content(entry, shape, `${describeCall(entry, maskText)}${sizeOf(args)}${textOf(args)}}`)
}

/** Writes the outcome of a call: in short form if the call has an intent row, which has the details. */
export function writeOutcome(
  entry: OutcomeEntry,
  maskText: MaskText,
  { hasIntent }: { readonly hasIntent: boolean },
): AuditContent {
  const { call, outcome, code = '' } = entry
  const ending = describeEnding(entry, maskText)
  if (hasIntent)
    return content(call, shapeFor(call, { kind: 'outcome', outcome, code }, maskText), `${ending}}`)
  const args = maskArguments(call, maskText)
  const shape = shapeFor(call, { kind: 'call', outcome, code }, maskText)
  const rest = `${describeCall(call, maskText)}${sizeOf(args)},${ending}${textOf(args)}}`
  return content(call, shape, rest)
}

/** Writes the outcome of a call whose process can no longer do so. */
export function writeUnknown(
  { at, request }: Pick<AuditContent, 'at' | 'request'>,
  like: Omit<Shape, 'head'>,
  note: string,
): AuditContent {
  const shape = shapeOf({ ...like, kind: 'outcome', outcome: 'unknown', code: '' }, '{')
  return { at, request, shape, rest: `"detail":${JSON.stringify(note)}}` }
}

function content(entry: IntentEntry, shape: Shape, rest: string): AuditContent {
  // The request id needs no masking, because the gateway generated it.
  return { at: Math.round(entry.at), request: entry.requestId, shape, rest: inOnePiece(rest) }
}

/**
 * Flattens a concatenated string, which V8 otherwise keeps as a tree of parts until it is read. Copying those parts
 * while rows wait to be written was a third of the garbage collector's work.
 */
function inOnePiece(text: string): string {
  text.charCodeAt(0)
  return text
}

type Ending = Pick<Shape, 'kind' | 'outcome' | 'code'>

/** The parts of an entry that determine its shape. The entry itself is not kept, so that its arguments can be freed. */
interface KnownShape
  extends Ending,
    Pick<IntentEntry, 'principal' | 'server' | 'tool' | 'typed' | 'door' | 'verdict'> {
  readonly shape: Shape
}

/** The cached shapes of each tool's rows. At the limit, the oldest one is replaced. */
const shapes = new WeakMap<KnownTool, KnownShape[]>()
const MOST_SHAPES = 32

/** Returns the part that similar calls have in common, which is built only once. */
function shapeFor(entry: IntentEntry, ending: Ending, maskText: MaskText): Shape {
  const { known } = entry
  if (known === undefined) return createShape(entry, ending, maskText)
  const made = shapes.get(known) ?? []
  for (const one of made) if (isFitting(one, entry, ending)) return one.shape
  const shape = createShape(entry, ending, maskText)
  const { principal, server, tool, typed, door, verdict } = entry
  if (made.length === MOST_SHAPES) made.shift()
  made.push({ principal, server, tool, typed, door, verdict, ...ending, shape })
  shapes.set(known, made)
  return shape
}

function isFitting(one: KnownShape, entry: IntentEntry, { kind, outcome, code }: Ending): boolean {
  return (
    one.kind === kind &&
    one.outcome === outcome &&
    one.principal === entry.principal &&
    one.verdict === entry.verdict &&
    one.code === code &&
    one.door === entry.door &&
    one.typed === entry.typed &&
    one.server === entry.server &&
    one.tool === entry.tool
  )
}

function createShape(entry: IntentEntry, { kind, outcome, code }: Ending, maskText: MaskText): Shape {
  const { known } = entry
  return {
    kind,
    agent: keepable(entry.principal),
    server: keepable(entry.server),
    // An unknown tool's name can be any text, even a secret.
    tool: keepable(known === undefined ? maskLine(entry.tool, maskText, LONG_NAME) : entry.tool),
    variant: known?.variant.slice('call_tool_'.length) ?? '',
    verdict: entry.verdict ?? '',
    outcome,
    code: keepable(code),
    head: kind === 'outcome' ? '{' : describeKind(entry, maskText),
  }
}

/** Writes the beginning of a row's body, which is the same for all calls to a tool on one surface. */
function describeKind(entry: IntentEntry, maskText: MaskText): string {
  const { known, door } = entry
  return (
    `{"door":${JSON.stringify(door)}` +
    describeTyped(entry, maskText) +
    (known === undefined ? '' : describeTool(known))
  )
}

/** Writes the data that differs from call to call, as the text of members of a JSON object. */
function describeCall(entry: IntentEntry, maskText: MaskText): string {
  const { intent, reasons } = entry
  const said =
    intent?.reason === undefined ? intent : { ...intent, reason: maskLine(intent.reason, maskText) }
  return (
    `,"session":${JSON.stringify(cut(entry.session))}` +
    member('intent', said) +
    (reasons.length === 0 ? '' : member('reasons', reasons)) +
    describeOrigin(entry, maskText) +
    member('approval', entry.approval) +
    member('approver', describeApprover(entry, maskText))
  )
}

/** Writes a call's origin. The argument's path is masked, because the caller chose the names in it. */
function describeOrigin({ origin }: IntentEntry, maskText: MaskText): string {
  if (origin === undefined) return ''
  return member('origin', { ...origin, argument: maskLine(origin.argument, maskText, LONG_NAME) })
}

function describeApprover({ approver }: IntentEntry, maskText: MaskText): object | undefined {
  if (approver === undefined) return undefined
  const { by, via, at, note } = approver
  const said = { by: cut(by), via, at: new Date(at).toISOString() }
  return note === undefined ? said : { ...said, note: maskLine(note, maskText) }
}

/** Writes the name that the caller typed, unless it adds nothing. An existing tool's name needs no masking. */
function describeTyped({ typed, server, tool, known }: IntentEntry, maskText: MaskText): string {
  if (known !== undefined && typed === tool) return `,"typed":${JSON.stringify(cut(typed))}`
  return typed === `${server}:${tool}` ? '' : member('typed', maskLine(typed, maskText, LONG_NAME))
}

function describeTool({ title, action, fingerprint, hints }: KnownTool): string {
  return (
    member('title', title) +
    member('action', action) +
    member('fingerprint', fingerprint) +
    member('hints', hints)
  )
}

function describeEnding(
  { attempts, durationMs, resultBytes, detail, repeats, findings }: OutcomeEntry,
  maskText: MaskText,
): string {
  return (
    `"attempts":${attempts},"ms":${Math.round(durationMs * 100) / 100}` +
    (resultBytes === undefined ? '' : `,"resultBytes":${resultBytes}`) +
    (repeats === undefined ? '' : `,"repeats":${repeats}`) +
    (detail === undefined ? '' : member('detail', maskLine(detail, maskText))) +
    (findings === undefined ? '' : member('findings', describeFindings(findings, maskText)))
  )
}

const MOST_FINDINGS = 32

/** Describes findings. Their rules are masked, because a rule can quote the server's schema. */
function describeFindings(findings: readonly ResultFinding[], maskText: MaskText): readonly ResultFinding[] {
  return findings.slice(0, MOST_FINDINGS).map(({ kind, rule, count, action }) => ({
    kind,
    rule: maskLine(rule, maskText, LONG_NAME),
    count,
    action,
  }))
}

function member(name: string, value: unknown): string {
  return value === undefined ? '' : `,"${name}":${JSON.stringify(value)}`
}

interface WrittenArguments {
  /** The arguments as JSON, with secrets masked. */
  readonly text: string
  /** The size of the received arguments. */
  readonly bytes: number
}

function maskArguments(entry: IntentEntry, maskText: MaskText): WrittenArguments | undefined {
  if (entry.arguments === undefined) return undefined
  const masked = maskValue(entry.arguments, maskText)
  const text = writeJson(masked)
  // Usually nothing is masked, and the stored text also gives the size.
  const whole = masked === entry.arguments ? text : writeJson(entry.arguments)
  return { text, bytes: Buffer.byteLength(whole) }
}

function sizeOf(args: WrittenArguments | undefined): string {
  return args === undefined ? '' : `,"argsBytes":${args.bytes}`
}

/** Returns the arguments' JSON text if it was written before. In it, numbers have all of their digits. */
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
