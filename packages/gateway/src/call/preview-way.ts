import { foldLookAlikes } from '@hintgate/metadata'
import type { IncomingCall } from '../exchange/incoming-call.ts'
import { foldKey } from '../protocol/field-path.ts'
import { isJsonObject, type Json } from '../protocol/messages.ts'

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
export function previewWay(definition: Declaring): PreviewWay | undefined {
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
