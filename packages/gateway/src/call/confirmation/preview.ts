import { showUntrusted } from '@hintgate/metadata'
import type { Classified, IncomingCall } from '../../exchange/incoming-call.ts'
import type { Outcome } from '../../exchange/outcome.ts'
import { SilentExchange } from '../../exchange/silent-exchange.ts'
import type { Claim } from '../../policy/facts/intent.ts'
import { isJsonObject, type Json } from '../../protocol/messages.ts'
import { findResembling } from '../../protocol/resembling-key.ts'
import { previewOf } from '../../sessions/risk-factors.ts'

/** Runs a call through all steps. It is a parameter, so that a preview takes the same steps as every other call. */
export type Run = (call: IncomingCall) => Promise<Outcome>

const MAX_LENGTH = 2000

/**
 * The claim that every preview makes: that it only reads. A preview that does more is refused without asking a person.
 */
const READ: Claim = { variant: 'call_tool_read', isBinding: true }

/**
 * Runs the tool's preview and returns its description of what would change. Undefined if there is no preview, or if it
 * fails.
 */
export async function askPreview({ call, tool }: Classified, run: Run): Promise<string | undefined> {
  const preview = findPreview(tool.definition)
  if (preview === undefined || call.isPreview === true) return undefined
  const given = isJsonObject(call.params.arguments) ? call.params.arguments : {}
  const args = preview.kind === 'tool' ? given : dryRunArguments(given, preview)
  if (args === undefined) return undefined
  const name = preview.kind === 'tool' ? preview.name : tool.name
  // In a toolset, a preview is made under the name that the set has for it, or not at all.
  const typed = call.set === undefined ? `${tool.server}:${name}` : call.set.nameOf(tool.server, name)
  if (typed === undefined) return undefined
  const outcome = await run({
    exchange: new SilentExchange(previewOf(call.exchange.requestId), call.exchange.caller, call.exchange),
    server: tool.server,
    tool: name,
    typed,
    set: call.set,
    params: { name, arguments: args },
    claim: READ,
    isPreview: true,
  })
  return outcome.kind === 'answered' && outcome.result.isError !== true ? textOf(outcome.result) : undefined
}

function textOf({ content }: Json): string | undefined {
  const parts = Array.isArray(content) ? content : []
  const texts = parts.flatMap(part =>
    isJsonObject(part) && typeof part.text === 'string' ? [part.text] : [],
  )
  return texts.length === 0 ? undefined : showUntrusted(texts.join(' '), MAX_LENGTH)
}

const META_PREVIEW = 'io.hintgate/preview'

/** The way in which a tool offers a preview: another tool, or one of its own arguments. */
type Preview = { readonly kind: 'tool'; readonly name: string } | ByArgument

interface ByArgument {
  readonly kind: 'argument'
  readonly name: string
  readonly value: unknown
}

interface Declaring {
  readonly _meta?: unknown
  readonly inputSchema?: unknown
}

/** Reads the declaration of a preview: `{ "tool": NAME }` or `{ "argument": NAME, "value": true }`. */
function findPreview(definition: Declaring): Preview | undefined {
  const said = isJsonObject(definition._meta) ? definition._meta[META_PREVIEW] : undefined
  if (!isJsonObject(said)) return undefined
  if (typeof said.tool === 'string') return { kind: 'tool', name: said.tool }
  // The argument must be declared. A tool might ignore an undeclared one, and then the call would be executed.
  const { properties } = isJsonObject(definition.inputSchema) ? definition.inputSchema : {}
  const isKnown =
    typeof said.argument === 'string' && isJsonObject(properties) && Object.hasOwn(properties, said.argument)
  return isKnown ? { kind: 'argument', name: String(said.argument), value: said.value ?? true } : undefined
}

/**
 * Returns the arguments of a dry run. The argument that requests it comes last, because a server that treats two keys
 * as equal usually takes the last one. Undefined if the call already has a similar key, because the server might use
 * either.
 */
export function dryRunArguments(given: Json, { name, value }: ByArgument): Json | undefined {
  if (isAmbiguous(given, name)) return undefined
  const { [name]: _replaced, ...others } = given
  return { ...others, [name]: value }
}

/** True if a call is a dry run. It then counts as a read, because the tool declares that this argument makes it one. */
export function isDryRun({ isPreview, params }: IncomingCall, definition: Declaring): boolean {
  if (isPreview !== true) return false
  const preview = findPreview(definition)
  const args = isJsonObject(params.arguments) ? params.arguments : {}
  return (
    preview?.kind === 'argument' && args[preview.name] === preview.value && !isAmbiguous(args, preview.name)
  )
}

/** True if a server might confuse another key with this one. */
function isAmbiguous(args: Json, name: string): boolean {
  return findResembling(args, name) !== undefined
}
