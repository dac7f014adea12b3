import { isJsonObject, type Json } from '../json.ts'

/** A piece of content that can be shown to a model. */
export type Part =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'image'; readonly data: string; readonly mediaType: string }

/**
 * Converts a result's content to parts that can be shown to a model. Blocks other than text and images become JSON.
 * Structured content is included only if there is nothing else.
 */
export function contentParts(result: Json): readonly Part[] {
  const blocks = Array.isArray(result.content) ? result.content.filter(isJsonObject) : []
  if (blocks.length === 0 && result.structuredContent !== undefined)
    return [{ kind: 'text', text: JSON.stringify(result.structuredContent) }]
  return blocks.map(toPart)
}

function toPart(block: Json): Part {
  const { type, text, data, mimeType } = block
  if (type === 'text' && typeof text === 'string') return { kind: 'text', text }
  if (type === 'image' && typeof data === 'string' && typeof mimeType === 'string')
    return { kind: 'image', data, mediaType: mimeType }
  return { kind: 'text', text: JSON.stringify(block) }
}

export function plainText(parts: readonly Part[]): string {
  return parts.map(part => (part.kind === 'text' ? part.text : `[image ${part.mediaType}]`)).join('\n')
}
