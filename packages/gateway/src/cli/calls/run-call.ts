import { CALL_VARIANTS, type CallVariant, showUntrusted } from '@hintgate/metadata'
import { isInputRequired } from '../../protocol/eras.ts'
import { isJsonObject, type Json, type Notification } from '../../protocol/messages.ts'
import { parseJson } from '../../protocol/parse-json.ts'
import { splitId } from '../../protocol/split-id.ts'
import {
  askSearch,
  endOfFailure,
  findVariant,
  type OnNotification,
  type SurfaceAnswer,
  type SurfaceClient,
  showQuestion,
} from '../client/surface-client.ts'
import { handleOf, readWhole } from '../client/whole-result.ts'
import { withClient } from '../client/with-client.ts'
import { showText } from '../show/review-text.ts'
import { showJson } from '../show/show-json.ts'
import { type ClientFlags, invalidFlag } from '../terminal/context.ts'
import { type Ending, EXIT } from '../terminal/output.ts'

interface CallFlags extends ClientFlags {
  readonly arg?: readonly string[]
  readonly variant?: string
  readonly intentReason?: string
}

export async function call(id: string, text: string | undefined, flags: CallFlags): Promise<Ending> {
  const args = await readArguments(text, flags.arg ?? [], process.stdin)
  const intent = flags.intentReason === undefined ? {} : { intent: { reason: flags.intentReason } }
  return withClient(flags, { kind: 'meant', server: splitId(id).server }, async client => {
    await client.ready()
    const name = readVariant(flags.variant) ?? (await findVariant(client, id)) ?? 'call_tool_read'
    const progress = createProgressLine(process.stderr)
    const asked = { name, args: { name: id, args, ...intent } }
    const answer = await askSearch(client, asked, progress.onNotification)
    progress.clear()
    return endOf(await completed(answer, client), flags)
  })
}

/** Reads a variant; `read` is short for `call_tool_read`. */
export function readVariant(given: string | undefined): CallVariant | undefined {
  return CALL_VARIANTS.find(variant => given === variant || `call_tool_${given}` === variant)
}

type Completed = SurfaceAnswer & { readonly isCut?: boolean }

/** Completes a long result by reading the rest, because a remote gateway cuts long results for agents. */
async function completed(answer: SurfaceAnswer, client: SurfaceClient): Promise<Completed> {
  const handle = answer.kind === 'answered' ? handleOf(answer.result) : undefined
  if (answer.kind !== 'answered' || handle === undefined) return answer
  const result = await readWhole(client, answer.result, handle)
  return result === undefined ? { ...answer, isCut: true } : { kind: 'answered', result }
}

function endOf(answer: Completed, { json = false }: CallFlags): Ending {
  if (answer.kind === 'answered') return endOfResult(answer.result, { json, isCut: answer.isCut ?? false })
  const out = json ? showJson(answer.kind === 'error' ? { error: answer.error } : answer.result) : ''
  return { ...endOfFailure(answer), out }
}

function endOfResult(result: Json, { json, isCut }: { json: boolean; isCut: boolean }): Ending {
  // On a terminal, control characters are escaped. Programs get the text as the server sent it.
  const show = process.stdout.isTTY ? showText : (text: string) => text
  const out = json ? showJson(result) : showResult(result, show)
  if (isInputRequired(result))
    return { code: EXIT.failed, out: json ? out : '', err: showQuestion('input_required') }
  const failed = isCut || result.isError === true
  return { code: failed ? EXIT.failed : EXIT.done, out, err: `${notesOf(result)}${isCut ? CUT : ''}` }
}

const NOTES = 'io.hintgate/notes'
const CUT =
  'hintgate: the result is incomplete, because the gateway shortened it and the rest could not be read\n'

/** Shows the gateway's notes about a call that it allowed. */
function notesOf({ _meta }: Json): string {
  const notes = isJsonObject(_meta) ? _meta[NOTES] : undefined
  const texts = Array.isArray(notes) ? notes : []
  return texts.map(note => `hintgate: note: ${showUntrusted(String(note), 400)}\n`).join('')
}

interface ProgressLine {
  /** Receives progress notifications. Undefined without a terminal, because the call then requests no progress. */
  readonly onNotification: OnNotification | undefined
  clear(): void
}

interface Terminal {
  readonly isTTY?: boolean | undefined
  write(text: string): unknown
}

const START_OF_LINE = '\r\u001B[K'

export function createProgressLine(terminal: Terminal): ProgressLine {
  let isShown = false
  const show = (notification: Notification): void => {
    if (notification.method !== 'notifications/progress') return
    isShown = true
    terminal.write(`${START_OF_LINE}${describeProgress(notification)}`)
  }
  return {
    onNotification: terminal.isTTY === true ? show : undefined,
    clear() {
      if (isShown) terminal.write(START_OF_LINE)
    },
  }
}

/** Describes a call's progress. The message comes from a server and is untrusted. */
function describeProgress({ params: { progress, total, message } = {} }: Notification): string {
  const share = typeof total === 'number' ? `${String(progress)}/${total}` : String(progress)
  return typeof message === 'string' ? `${share} ${showUntrusted(message, 60)}` : share
}

/** Shows a result. `showText` prepares each text for the output device. */
export function showResult({ content, structuredContent }: Json, showText: (text: string) => string): string {
  const blocks = Array.isArray(content) ? content : []
  if (blocks.length === 0) return structuredContent === undefined ? '' : showJson(structuredContent)
  return blocks.map(block => withNewline(showBlock(block, showText))).join('')
}

function showBlock(block: unknown, showText: (text: string) => string): string {
  if (!isJsonObject(block)) return '[invalid content]'
  const { type, text, data, mimeType, resource, uri } = block
  if (type === 'text' && typeof text === 'string') return showText(text)
  if (typeof data === 'string') return describeBlock(showText, mimeType ?? type, sizeOf(data))
  if (type === 'resource' && isJsonObject(resource)) return showResource(resource, showText)
  return describeBlock(showText, type, typeof uri === 'string' ? uri : undefined)
}

function showResource({ text, blob, mimeType, uri }: Json, showText: (text: string) => string): string {
  if (typeof text === 'string') return showText(text)
  return describeBlock(
    showText,
    mimeType ?? 'resource',
    typeof blob === 'string' ? sizeOf(blob) : String(uri),
  )
}

function describeBlock(
  showText: (text: string) => string,
  kind: unknown,
  detail: string | undefined,
): string {
  return showText(detail === undefined ? `[${String(kind)}]` : `[${String(kind)}, ${detail}]`)
}

/** Shows the size that base64 data has once it is decoded. */
function sizeOf(base64: string): string {
  const bytes = Math.floor((base64.replace(/=+$/, '').length * 3) / 4)
  if (bytes < 1024) return `${bytes} B`
  return bytes < 1024 * 1024 ? `${Math.round(bytes / 1024)} KB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`
}

function withNewline(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`
}

const MAX_DEPTH = 200

/**
 * Reads a call's arguments: a JSON object on the command line (or on standard input, for `-`), and `--arg key=value`
 * options.
 */
export async function readArguments(
  text: string | undefined,
  pairs: readonly string[],
  stdin: AsyncIterable<Uint8Array>,
): Promise<Json> {
  const object = text === undefined ? {} : parseObject(text === '-' ? await readAll(stdin) : text)
  return { ...object, ...Object.fromEntries(pairs.map(parsePair)) }
}

function parseObject(text: string): Json {
  const parsed = parseJson(text, MAX_DEPTH)
  if (!parsed.ok) throw invalidFlag('ARGS', `${parsed.reason}; ${EXPECTED}`)
  if (!isJsonObject(parsed.value)) throw invalidFlag('ARGS', EXPECTED)
  return parsed.value
}

const EXPECTED = 'expected a JSON object such as {"path": "a.txt"}'

/**
 * Reads `key=value`. The value in `limit=3` is a number, the one in `path=a.txt` a string. A string that looks like
 * JSON needs quotes, as in `id="3"`.
 */
function parsePair(pair: string): [string, unknown] {
  const at = pair.indexOf('=')
  if (at < 1) throw invalidFlag('--arg', `expected key=value, not ${JSON.stringify(pair.slice(0, 80))}`)
  const value = pair.slice(at + 1)
  const parsed = parseJson(value, MAX_DEPTH)
  return [pair.slice(0, at), parsed.ok ? parsed.value : value]
}

async function readAll(stdin: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of stdin) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}
