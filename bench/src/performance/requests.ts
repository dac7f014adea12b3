// The requests of clients of either era.
import type { Era, Kilobytes } from './answers.ts'

const MODERN = '2026-07-28'
export const LEGACY = '2025-11-25'

const ENVELOPE = JSON.stringify({
  'io.modelcontextprotocol/protocolVersion': MODERN,
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
})

/** The id is at a fixed position, so that the floor finds it without parsing. */
function write(era: Era, id: number, { method, params }: { method: string; params: string }): string {
  const meta = era === 'modern' ? `"_meta":${ENVELOPE}` : ''
  const inner = [params, meta].filter(Boolean).join(',')
  return `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":{${inner}}}`
}

export interface Call {
  readonly tool: string
  readonly nonce: string
  readonly kb: Kilobytes
}

export function writeCall(era: Era, id: number, { tool, nonce, kb }: Call): string {
  const params = `"name":"${tool}","arguments":{"kb":${kb},"nonce":"${nonce}"}`
  return write(era, id, { method: 'tools/call', params })
}

export function writeList(era: Era, id: number): string {
  return write(era, id, { method: 'tools/list', params: '' })
}

export function writeInitialize(): string {
  const client = '"capabilities":{},"clientInfo":{"name":"bench","version":"1.0.0"}'
  return write('legacy', 0, { method: 'initialize', params: `"protocolVersion":"${LEGACY}",${client}` })
}

export const INITIALIZED = '{"jsonrpc":"2.0","method":"notifications/initialized"}'

/** The headers of an HTTP request; a modern request also names its method and tool. */
export function writeHeaders(era: Era, method: string, tool?: string): Record<string, string> {
  return {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': era === 'modern' ? MODERN : LEGACY,
    ...(era === 'modern' && { 'mcp-method': method }),
    ...(era === 'modern' && tool !== undefined && { 'mcp-name': tool }),
  }
}
