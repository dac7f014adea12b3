import { isJsonObject, type Json } from '../../protocol/messages.ts'
import { showJson } from './show-json.ts'

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
  if (typeof data === 'string') return describe(showText, mimeType ?? type, sizeOf(data))
  if (type === 'resource' && isJsonObject(resource)) return showResource(resource, showText)
  return describe(showText, type, typeof uri === 'string' ? uri : undefined)
}

function showResource({ text, blob, mimeType, uri }: Json, showText: (text: string) => string): string {
  if (typeof text === 'string') return showText(text)
  return describe(showText, mimeType ?? 'resource', typeof blob === 'string' ? sizeOf(blob) : String(uri))
}

function describe(showText: (text: string) => string, kind: unknown, detail: string | undefined): string {
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
