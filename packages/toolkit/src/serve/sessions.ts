import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { NodeStreamableHTTPServerTransport } from '@modelcontextprotocol/node'
import { isInitializeRequest, type McpServer } from '@modelcontextprotocol/server'
import { refuse } from './guard.ts'

const MAX_SESSIONS = 1000
const IDLE_MS = 30 * 60 * 1000

interface Session {
  readonly transport: NodeStreamableHTTPServerTransport
  used: number
  /** The number of requests in progress, including open streams. */
  open: number
}

/**
 * Sessions of legacy clients. Each session has its own server and transport until the client ends it or it has been
 * idle for too long.
 */
export class Sessions {
  readonly #sessions = new Map<string, Session>()
  readonly #create: () => McpServer

  constructor(create: () => McpServer) {
    this.#create = create
  }

  async handle(request: IncomingMessage, response: ServerResponse, body: unknown): Promise<void> {
    const id = request.headers['mcp-session-id']
    if (typeof id === 'string') return this.#continue(id, request, response, body)
    if (!isInitializeRequest(body)) return refuse(response, 400, 'Mcp-Session-Id is missing')
    if (!this.#makeRoom()) return refuse(response, 503, 'Too many sessions')
    const transport = await this.#open()
    await transport.handleRequest(request, response, body)
  }

  async close(): Promise<void> {
    await Promise.all([...this.#sessions.values()].map(({ transport }) => transport.close()))
  }

  async #continue(
    id: string,
    request: IncomingMessage,
    response: ServerResponse,
    body: unknown,
  ): Promise<void> {
    const session = this.#sessions.get(id)
    if (session === undefined) return refuse(response, 404, 'Session not found', -32_001)
    session.used = Date.now()
    session.open += 1
    response.once('close', () => {
      session.open -= 1
      session.used = Date.now()
    })
    await session.transport.handleRequest(request, response, body)
  }

  async #open(): Promise<NodeStreamableHTTPServerTransport> {
    const transport = new NodeStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: id => {
        this.#sessions.set(id, { transport, used: Date.now(), open: 0 })
      },
      onsessionclosed: id => {
        this.#sessions.delete(id)
      },
    })
    await this.#create().connect(transport)
    return transport
  }

  /** Closes idle sessions, because clients rarely end them. Returns true if there is now room for another session. */
  #makeRoom(): boolean {
    const now = Date.now()
    for (const [id, session] of this.#sessions) {
      if (session.open > 0 || now - session.used < IDLE_MS) continue
      this.#sessions.delete(id)
      session.transport.close().catch(() => {})
    }
    return this.#sessions.size < MAX_SESSIONS
  }
}
