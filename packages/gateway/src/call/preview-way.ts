import { isJsonObject } from '../protocol/messages.ts'
import type { IncomingCall } from './incoming-call.ts'

const META_PREVIEW = 'io.hintgate/preview'

/** How a tool says that it can show what it would do: by a tool beside it, or by an argument of its own. */
type PreviewWay =
  | { readonly kind: 'tool'; readonly name: string }
  | { readonly kind: 'argument'; readonly name: string; readonly value: unknown }

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

/** Whether a call is one of these: a read, because its tool says that this argument makes it one. */
export function isDryRun({ isPreview, params }: IncomingCall, definition: Declaring): boolean {
  if (isPreview !== true) return false
  const way = previewWay(definition)
  const args = isJsonObject(params.arguments) ? params.arguments : {}
  return way?.kind === 'argument' && args[way.name] === way.value
}
