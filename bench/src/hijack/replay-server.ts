import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ReplayedTool } from './load-suites.ts'

const MODERN = '2026-07-28'

interface Prepared {
  /** A function for a new text with each call. */
  readonly text: string | (() => string)
  readonly isError: boolean
}

/** A server with the tools of a suite. It answers the next call with the recorded result. */
export interface ReplayServer {
  readonly url: string
  /** Sets the answer to the next calls. */
  prepare(result: Prepared): void
  /** The number of calls so far. */
  readonly calls: () => number
  close(): Promise<void>
}

export async function startReplayServer(tools: readonly ReplayedTool[]): Promise<ReplayServer> {
  let next: Prepared = { text: '', isError: false }
  let calls = 0
  const list = tools.map(tool => ({ ...tool, inputSchema: tool.inputSchema ?? { type: 'object' } }))
  const answer = (method: string): object | undefined => {
    if (method === 'server/discover') return DISCOVERY
    if (method === 'tools/list')
      return { tools: list, resultType: 'complete', ttlMs: 60_000, cacheScope: 'public' }
    if (method !== 'tools/call') return undefined
    calls += 1
    const { text, isError } = next
    const said = typeof text === 'string' ? text : text()
    return { content: [{ type: 'text', text: said }], ...(isError && { isError }), resultType: 'complete' }
  }
  const server = createServer({ keepAliveTimeout: 60_000 }, (req, res) => {
    const chunks: Buffer[] = []
    req.on('data', (chunk: Buffer) => chunks.push(chunk))
    req.on('end', () => respond(res, Buffer.concat(chunks).toString(), answer))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    prepare: result => {
      next = result
    },
    calls: () => calls,
    close: () => {
      server.closeAllConnections()
      return new Promise<void>(resolve => server.close(() => resolve()))
    },
  }
}

const DISCOVERY = {
  supportedVersions: [MODERN],
  capabilities: { tools: {} },
  resultType: 'complete',
  ttlMs: 60_000,
  cacheScope: 'public',
  _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'replay', version: '1.0.0' } },
}

function respond(res: ServerResponse, body: string, answer: (method: string) => object | undefined): void {
  const { id, method } = (body === '' ? {} : JSON.parse(body)) as { id?: unknown; method?: string }
  if (id === undefined) {
    res.writeHead(202).end()
    return
  }
  const result = answer(method ?? '')
  const message =
    result === undefined
      ? { jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } }
      : { jsonrpc: '2.0', id, result }
  res.writeHead(result === undefined ? 404 : 200, { 'content-type': 'application/json' })
  res.end(JSON.stringify(message))
}
