import { CALL_VARIANTS, type CallVariant, showUntrusted } from '@hintgate/metadata'
import { ERRORS } from '../../base/errors.ts'
import { isInputRequired } from '../../protocol/eras.ts'
import { isJsonObject, type Json, type Notification } from '../../protocol/messages.ts'
import { splitId } from '../../protocol/split-id.ts'
import { askSearch, findVariant, type Told } from '../client/ask-gateway.ts'
import type { ClientFlags } from '../client/client-flags.ts'
import { showError, showQuestion, showRefusal } from '../client/show-failure.ts'
import type { OnNotification, SurfaceClient } from '../client/surface-client.ts'
import { handleOf, readWhole } from '../client/whole-result.ts'
import { type Ending, withClient } from '../client/with-client.ts'
import { showText } from '../show/review-text.ts'
import { showJson } from '../show/show-json.ts'
import { EXIT } from '../terminal/output.ts'
import { readArguments } from './call-arguments.ts'

export interface CallFlags extends ClientFlags {
  readonly arg?: readonly string[]
  readonly variant?: string
  readonly intentReason?: string
}

/** `hintgate call`: one call through the corridor. */
export async function call(id: string, text: string | undefined, flags: CallFlags): Promise<void> {
  const args = await readArguments(text, flags.arg ?? [], process.stdin)
  const intent = flags.intentReason === undefined ? {} : { intent: { reason: flags.intentReason } }
  await withClient(flags, { kind: 'meant', server: splitId(id).server }, async client => {
    await client.ready()
    const name = readVariant(flags.variant) ?? (await findVariant(client, id)) ?? 'call_tool_read'
    const progress = createProgressLine(process.stderr)
    const told = await askSearch(
      client,
      { name, args: { name: id, args, ...intent } },
      progress.onNotification,
    )
    progress.clear()
    return endOf(await completed(told, client), flags)
  })
}

/** `read` is short for `call_tool_read`. */
function readVariant(given: string | undefined): CallVariant | undefined {
  return CALL_VARIANTS.find(variant => given === variant || `call_tool_${given}` === variant)
}

type Completed = Told & { readonly isCut?: boolean }

/** A gateway elsewhere cuts what is long, for agents; here it is put together again. */
async function completed(told: Told, client: SurfaceClient): Promise<Completed> {
  const handle = told.kind === 'answered' ? handleOf(told.result) : undefined
  if (told.kind !== 'answered' || handle === undefined) return told
  const result = await readWhole(client, told.result, handle)
  return result === undefined ? { ...told, isCut: true } : { kind: 'answered', result }
}

function endOf(told: Completed, { json }: CallFlags): Ending {
  switch (told.kind) {
    case 'error':
      return {
        code: EXIT.failed,
        err: showError(told.error),
        out: json ? showJson({ error: told.error }) : '',
      }
    case 'refused':
      return {
        code: ERRORS[told.refusal.code].exit,
        err: showRefusal(told.refusal),
        out: json ? showJson(told.result) : '',
      }
    case 'answered':
      return endOfResult(told.result, { json: json ?? false, isCut: told.isCut ?? false })
  }
}

function endOfResult(result: Json, { json, isCut }: { json: boolean; isCut: boolean }): Ending {
  // Programs get the bytes that the server sent, a terminal only what is safe to show.
  const show = process.stdout.isTTY ? showText : (text: string) => text
  const out = json ? showJson(result) : showResult(result, show)
  if (isInputRequired(result))
    return { code: EXIT.failed, out: json ? out : '', err: showQuestion('input_required') }
  const failed = isCut || result.isError === true
  return { code: failed ? EXIT.failed : EXIT.done, out, err: `${notesOf(result)}${isCut ? CUT : ''}` }
}

const NOTES = 'io.hintgate/notes'
const CUT = 'hintgate: the gateway cut the result, and the rest of it cannot be read\n'

/** What the gateway let pass, and why it might not have. */
function notesOf({ _meta }: Json): string {
  const notes = isJsonObject(_meta) ? _meta[NOTES] : undefined
  const texts = Array.isArray(notes) ? notes : []
  return texts.map(note => `hintgate: note: ${showUntrusted(String(note), 400)}\n`).join('')
}

interface ProgressLine {
  /** Absent where nobody looks; then no progress is asked for. */
  readonly onNotification: OnNotification | undefined
  clear(): void
}

interface Terminal {
  readonly isTTY?: boolean | undefined
  write(text: string): unknown
}

const START_OF_LINE = '\r\u001B[K'

/** The progress of a call on one line of a terminal, gone when the call is over. */
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

/** The words are a server's. */
function describeProgress({ params: { progress, total, message } = {} }: Notification): string {
  const share = typeof total === 'number' ? `${String(progress)}/${total}` : String(progress)
  return typeof message === 'string' ? `${share} ${showUntrusted(message, 60)}` : share
}

/**
 * A tool's result for a person: texts as they are, anything else by kind and size. `showText` is what a text looks like
 * where it is printed.
 */
export function showResult({ content, structuredContent }: Json, showText: (text: string) => string): string {
  const blocks = Array.isArray(content) ? content : []
  if (blocks.length === 0) return structuredContent === undefined ? '' : showJson(structuredContent)
  return blocks.map(block => withNewline(showBlock(block, showText))).join('')
}

function showBlock(block: unknown, showText: (text: string) => string): string {
  if (!isJsonObject(block)) return '[something that is no content]'
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

/** Of bytes in base64. */
function sizeOf(base64: string): string {
  const bytes = Math.floor((base64.replace(/=+$/, '').length * 3) / 4)
  if (bytes < 1024) return `${bytes} B`
  return bytes < 1024 * 1024 ? `${Math.round(bytes / 1024)} KB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`
}

function withNewline(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`
}
