import { foldLookAlikes, showUntrusted } from '@hintgate/metadata'
import type { Classified, IncomingCall } from '../exchange/incoming-call.ts'
import type { Outcome } from '../exchange/outcome.ts'
import { SilentExchange } from '../exchange/silent-exchange.ts'
import type { Claim } from '../policy/facts/intent.ts'
import { foldKey } from '../protocol/field-path.ts'
import { isJsonObject, type Json } from '../protocol/messages.ts'
import { previewOf } from '../sessions/risk-factors.ts'

/** The corridor itself, handed in so that a preview walks it like every other call. */
export type Run = (call: IncomingCall) => Promise<Outcome>

const MAX_LENGTH = 2000

/** Whatever is more than a read is refused, and nobody is asked about it. */
const READ: Claim = { variant: 'call_tool_read', isBinding: true }

/** What would change, in the words of the tool; undefined where it has none, or they did not come. */
export async function askPreview({ call, tool }: Classified, run: Run): Promise<string | undefined> {
  const way = previewWay(tool.definition)
  if (way === undefined || call.isPreview === true) return undefined
  const given = isJsonObject(call.params.arguments) ? call.params.arguments : {}
  const args = way.kind === 'tool' ? given : dryRunArguments(given, way)
  if (args === undefined) return undefined
  const name = way.kind === 'tool' ? way.name : tool.name
  const outcome = await run({
    exchange: new SilentExchange(previewOf(call.exchange.requestId), call.exchange.caller, call.exchange),
    server: tool.server,
    tool: name,
    typed: `${tool.server}:${name}`,
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

/** How a tool says that it can show what it would do: by a tool beside it, or by an argument of its own. */
type PreviewWay = { readonly kind: 'tool'; readonly name: string } | ByArgument

interface ByArgument {
  readonly kind: 'argument'
  readonly name: string
  readonly value: unknown
}

interface Declaring {
  readonly _meta?: unknown
  readonly inputSchema?: unknown
}

/** `{ "tool": NAME }` or `{ "argument": NAME, "value": true }`. */
function previewWay(definition: Declaring): PreviewWay | undefined {
  const said = isJsonObject(definition._meta) ? definition._meta[META_PREVIEW] : undefined
  if (!isJsonObject(said)) return undefined
  if (typeof said.tool === 'string') return { kind: 'tool', name: said.tool }
  // An argument that the tool does not have would be overlooked, and the call would be no preview at all.
  const { properties } = isJsonObject(definition.inputSchema) ? definition.inputSchema : {}
  const isKnown =
    typeof said.argument === 'string' && isJsonObject(properties) && Object.hasOwn(properties, said.argument)
  return isKnown ? { kind: 'argument', name: String(said.argument), value: said.value ?? true } : undefined
}

/**
 * The arguments of a dry run: the one that makes it so comes last, because of two keys that are one to a server most
 * readers take the last. Undefined where there is such a key beside it: nobody knows which of them the server goes by.
 */
export function dryRunArguments(given: Json, { name, value }: ByArgument): Json | undefined {
  if (isAmbiguous(given, name)) return undefined
  const { [name]: _replaced, ...others } = given
  return { ...others, [name]: value }
}

/** Whether a call is one of these: a read, because its tool says that this argument makes it one. */
export function isDryRun({ isPreview, params }: IncomingCall, definition: Declaring): boolean {
  if (isPreview !== true) return false
  const way = previewWay(definition)
  const args = isJsonObject(params.arguments) ? params.arguments : {}
  return way?.kind === 'argument' && args[way.name] === way.value && !isAmbiguous(args, way.name)
}

/** Longer keys are not folded but objected to: somebody made them. */
const LONG_KEY = 256

/** Whether some server may take another key for this one: many read keys without case, some without `_` and `-`. */
function isAmbiguous(args: Json, name: string): boolean {
  const folded = foldName(name)
  for (const key in args) {
    if (key === name) continue
    if (key.length > LONG_KEY || foldName(key) === folded) return true
  }
  return false
}

function foldName(name: string): string {
  return foldLookAlikes(foldKey(name)).replaceAll(/[^\p{L}\p{N}]/gu, '')
}
