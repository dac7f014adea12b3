import { writeJson } from '../protocol/parse-json.ts'
import { type AuditContent, type Shape, shapeOf } from '../store/audit-log/shape.ts'
import type { IntentEntry, KnownTool, OutcomeEntry } from './entry.ts'
import { type MaskText, maskLine, maskValue } from './mask.ts'

/** Names may come from anywhere. What some database cannot keep as it is would look like a forged row later. */
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const UNKEEPABLE = /[\u0000-\u001f\u007f]/g
/** These, and halves of characters. */
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const DOUBTFUL = /[\u0000-\u001f\u007f\ud800-\udfff]/
const LONG_NAME = 256

export function writeIntent(entry: IntentEntry, maskText: MaskText): AuditContent {
  const args = maskArguments(entry, maskText)
  const shape = shapeFor(entry, { kind: 'intent', outcome: '', code: '' }, maskText)
  return content(entry, shape, `${describeCall(entry, maskText)}${sizeOf(args)}${textOf(args)}}`)
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
    return content(call, shapeFor(call, { kind: 'outcome', outcome, code }, maskText), `${ending}}`)
  const args = maskArguments(call, maskText)
  const shape = shapeFor(call, { kind: 'call', outcome, code }, maskText)
  const rest = `${describeCall(call, maskText)}${sizeOf(args)},${ending}${textOf(args)}}`
  return content(call, shape, rest)
}

/** Ends a call that nobody else can end any more. */
export function writeUnknown(
  { at, request }: Pick<AuditContent, 'at' | 'request'>,
  like: Omit<Shape, 'head'>,
  note: string,
): AuditContent {
  const shape = shapeOf({ ...like, kind: 'outcome', outcome: 'unknown', code: '' }, '{')
  return { at, request, shape, rest: `"detail":${JSON.stringify(note)}}` }
}

function content(entry: IntentEntry, shape: Shape, rest: string): AuditContent {
  // The id is of our own making.
  return { at: Math.round(entry.at), request: entry.requestId, shape, rest: inOnePiece(rest) }
}

/**
 * What is put together stays a tree of its parts until somebody looks into it. Rows wait to be written, and the collector
 * would carry every part of them along: that was a third of its work.
 */
function inOnePiece(text: string): string {
  text.charCodeAt(0)
  return text
}

type Ending = Pick<Shape, 'kind' | 'outcome' | 'code'>

/** Not the whole entry: arguments are not kept any longer than it takes to write them down. */
interface KnownShape
  extends Ending,
    Pick<IntentEntry, 'principal' | 'server' | 'tool' | 'typed' | 'door' | 'verdict'> {
  readonly shape: Shape
}

/** The shapes of a tool's rows. It has more only if many agents call it, and then the oldest is made again. */
const shapes = new WeakMap<KnownTool, KnownShape[]>()
const MOST_SHAPES = 32

/** Calls of one agent are much alike: all that they have in common is put together once. */
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
    // A name that nobody knows may be anything.
    tool: keepable(known === undefined ? maskLine(entry.tool, maskText, LONG_NAME) : entry.tool),
    variant: known?.variant.slice('call_tool_'.length) ?? '',
    verdict: entry.verdict ?? '',
    outcome,
    code: keepable(code),
    head: kind === 'outcome' ? '{' : describeKind(entry, maskText),
  }
}

/** How the body begins: what is the same for all calls of a tool that come in by one door. */
function describeKind(entry: IntentEntry, maskText: MaskText): string {
  const { known, door } = entry
  return (
    `{"door":${JSON.stringify(door)}` +
    describeTyped(entry, maskText) +
    (known === undefined ? '' : describeTool(known))
  )
}

/** Members of a JSON object, put together as text. */
function describeCall(entry: IntentEntry, maskText: MaskText): string {
  const { intent, reasons } = entry
  const said =
    intent?.reason === undefined ? intent : { ...intent, reason: maskLine(intent.reason, maskText) }
  return (
    `,"session":${JSON.stringify(cut(entry.session))}` +
    member('intent', said) +
    (reasons.length === 0 ? '' : member('reasons', reasons)) +
    member('approval', entry.approval)
  )
}

/** Left out where it says nothing more; the name of a tool that there is need not be looked through. */
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
