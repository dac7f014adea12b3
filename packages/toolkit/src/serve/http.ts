import {
  createServer as createHttpServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { toNodeHandler } from '@modelcontextprotocol/node'
import {
  classifyInboundRequest,
  createMcpHandler,
  DEFAULT_MAX_REQUEST_BODY_SIZE,
  type McpServer,
} from '@modelcontextprotocol/server'
import { createGuard, refuse } from './guard.ts'
import type { HttpTransport } from './read-transport.ts'
import { Sessions } from './sessions.ts'

/** A request with the two fields that Node always sets for a server. */
type Incoming = IncomingMessage & { method: string; url: string }

export interface HttpServing {
  readonly url: string
  readonly close: () => Promise<void>
}

/** Serves both eras of MCP on one path. Which era a request uses follows from its headers and body. */
export async function serveHttp(
  create: () => McpServer,
  transport: HttpTransport,
  onError: (error: Error) => void,
): Promise<HttpServing> {
  const handle = createListener(create, transport, onError)
  const server = createHttpServer((request, response) => {
    handle.request(request as Incoming, response).catch(error => {
      onError(error instanceof Error ? error : new Error(String(error)))
      if (response.headersSent) response.destroy()
      else refuse(response, 500, 'Internal error', -32_603)
    })
  })
  await listen(server, transport)
  const { port } = server.address() as AddressInfo
  const host = transport.host.includes(':') ? `[${transport.host}]` : transport.host
  return { url: `http://${host}:${port}${transport.path}`, close: () => close(server, handle.close) }
}

function createListener(create: () => McpServer, transport: HttpTransport, onError: (error: Error) => void) {
  const modern = createMcpHandler(create, { legacy: 'reject', onerror: onError })
  const serveModern = toNodeHandler(modern, { onerror: onError })
  const sessions = new Sessions(create)
  const mayPass = createGuard(transport)

  async function request(incoming: Incoming, response: ServerResponse): Promise<void> {
    if (!mayPass(incoming, response)) return
    if (new URL(incoming.url, 'http://localhost').pathname !== transport.path)
      return refuse(response, 404, 'Not found')
    const read = await readBody(incoming)
    if (read === 'too large') return refuse(response, 413, 'The request is too large')
    if (read === 'not JSON') return refuse(response, 400, 'Parse error', -32_700)
    await (isLegacy(incoming, read.body)
      ? sessions.handle(incoming, response, read.body)
      : serveModern(incoming, response, read.body))
  }

  return { request, close: () => Promise.all([modern.close(), sessions.close()]) }
}

function isLegacy({ method, headers }: Incoming, body: unknown): boolean {
  const text = (name: string): string | undefined => {
    const value = headers[name]
    return typeof value === 'string' ? value : undefined
  }
  const [version, called, named] = [text('mcp-protocol-version'), text('mcp-method'), text('mcp-name')]
  const outcome = classifyInboundRequest({
    httpMethod: method,
    ...(version === undefined ? {} : { protocolVersionHeader: version }),
    ...(called === undefined ? {} : { mcpMethodHeader: called }),
    ...(named === undefined ? {} : { mcpNameHeader: named }),
    body,
  })
  return outcome.kind === 'legacy'
}

async function readBody(
  request: IncomingMessage,
): Promise<{ readonly body: unknown } | 'too large' | 'not JSON'> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > DEFAULT_MAX_REQUEST_BODY_SIZE) return 'too large'
    chunks.push(chunk)
  }
  if (size === 0) return { body: undefined }
  try {
    return { body: JSON.parse(Buffer.concat(chunks).toString('utf8')) }
  } catch {
    return 'not JSON'
  }
}

function listen(server: Server, { port, host }: HttpTransport): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

async function close(server: Server, closeEras: () => Promise<unknown>): Promise<void> {
  const closed = new Promise(resolve => server.close(resolve))
  await closeEras()
  server.closeAllConnections()
  await closed
}
