import type { CallToolResult } from '@modelcontextprotocol/server'

/** A tool's return value: the result of `ctx.json`, `ctx.text` or a similar method, or an MCP result. */
export type ToolResult = CallToolResult

/** The `_meta` key for a text block's media type, for which MCP has no field. */
const META_MEDIA_TYPE = 'io.hintgate/mediaType'

export function textResult(text: string, mediaType?: string): ToolResult {
  const meta = mediaType === undefined ? {} : { _meta: { [META_MEDIA_TYPE]: mediaType } }
  return { content: [{ type: 'text', text, ...meta }] }
}

/**
 * Returns JSON as text for models and, if the value is an object, also as structured content for programs. MCP allows
 * only objects as structured content.
 */
export function jsonResult(value: unknown): ToolResult {
  const text = JSON.stringify(value) ?? 'null'
  const content: ToolResult['content'] = [{ type: 'text', text }]
  return isRecord(value) ? { content, structuredContent: value } : { content }
}

export function imageResult(data: Uint8Array | string, mimeType: string): ToolResult {
  const base64 = typeof data === 'string' ? data : Buffer.from(data).toString('base64')
  return { content: [{ type: 'image', data: base64, mimeType }] }
}

/** The error that a call ends with. If the gateway uses the same code, it means the same. */
export interface CallError {
  readonly code:
    | 'failed'
    | 'invalid_arguments'
    | 'cancelled'
    | 'confirmation_required'
    | 'confirmation_denied'
  readonly message: string
  readonly details?: unknown
}

export function errorResult(error: CallError): ToolResult {
  return {
    content: [{ type: 'text', text: error.message }],
    structuredContent: { error },
    isError: true,
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
