import type { CallToolResult } from '@modelcontextprotocol/server'

/** What a tool returns: a value of `ctx.json`, `ctx.text` and the like, or an MCP result. */
export type ToolResult = CallToolResult

/** MCP's text blocks have no media type; clients that need it find it here. */
const META_MEDIA_TYPE = 'io.hintgate/mediaType'

export function textResult(text: string, mediaType?: string): ToolResult {
  const meta = mediaType === undefined ? {} : { _meta: { [META_MEDIA_TYPE]: mediaType } }
  return { content: [{ type: 'text', text, ...meta }] }
}

/** JSON as text for models, and as structured content for programs, which MCP allows for objects only. */
export function jsonResult(value: unknown): ToolResult {
  const text = JSON.stringify(value) ?? 'null'
  const content: ToolResult['content'] = [{ type: 'text', text }]
  return isRecord(value) ? { content, structuredContent: value } : { content }
}

export function imageResult(data: Uint8Array | string, mimeType: string): ToolResult {
  const base64 = typeof data === 'string' ? data : Buffer.from(data).toString('base64')
  return { content: [{ type: 'image', data: base64, mimeType }] }
}

/** The error result of a call. Its codes are those of the gateway's refusals. */
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
