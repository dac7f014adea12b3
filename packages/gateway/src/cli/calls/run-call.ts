import { CALL_VARIANTS, type CallVariant, showUntrusted } from '@hintgate/metadata'
import { ERRORS } from '../../base/errors.ts'
import { isInputRequired } from '../../protocol/eras.ts'
import { isJsonObject, type Json } from '../../protocol/messages.ts'
import { splitId } from '../../protocol/split-id.ts'
import { askSearch, findVariant, type Told } from '../client/ask-gateway.ts'
import type { ClientFlags } from '../client/client-flags.ts'
import { showError, showQuestion, showRefusal } from '../client/show-failure.ts'
import type { SurfaceClient } from '../client/surface-client.ts'
import { handleOf, readWhole } from '../client/whole-result.ts'
import { type Ending, withClient } from '../client/with-client.ts'
import { showJson } from '../show/show-json.ts'
import { showResult } from '../show/show-result.ts'
import { showText } from '../show/show-text.ts'
import { EXIT } from '../terminal/exit-codes.ts'
import { readArguments } from './call-arguments.ts'
import { createProgressLine } from './progress-line.ts'

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
