import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { classifyInboundRequest } from '@modelcontextprotocol/server'
import type { Config } from '../config/config.ts'
import { type Request, RPC } from '../protocol/messages.ts'
import { MODERN_VERSION } from '../protocol/modern.ts'
import { parseJson } from '../protocol/parse-json.ts'
import type { Principal } from '../tokens/scope.ts'
import { isRefusal, type Tokens } from '../tokens/tokens.ts'
import { sendError, sendJson } from './answer-http.ts'
import { type AllowedOrigins, allowOrigins, checkOrigin } from './check-origin.ts'
import { handleLegacyDelete, handleLegacyGet, handleLegacyPost } from './legacy-door.ts'
import { LegacySessions } from './legacy-sessions.ts'
import { handleModern } from './modern-door.ts'
import { ParkedCalls } from './parked-calls.ts'
import { readBody } from './read-body.ts'
import type { Surface } from './surface.ts'

export interface HttpDeps {
  readonly config: Config
  readonly tokens: Tokens
  /** The surface behind a path, if there is one *for this caller*. */
  findSurface(path: string, principal: Principal): Surface | undefined
  isReady(): boolean
}

interface Inbound {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly principal: Principal
  readonly surface: Surface
}

/** The HTTP door: who is there, is it allowed to be, and which surface does it want. Bytes in, bytes out. */
export class HttpDoor {
  readonly #deps: HttpDeps
  readonly #server: Server
  readonly #origins: AllowedOrigins
  readonly #sessions: LegacySessions
  readonly #parked: ParkedCalls
  readonly #shutdown = new Set<() => void>()
  readonly #open = new Map<ServerResponse, Principal>()

  constructor(deps: HttpDeps) {
    this.#deps = deps
    const { config } = deps
    this.#origins = allowOrigins(config)
    this.#sessions = new LegacySessions(config.limits)
    this.#parked = new ParkedCalls(config.limits)
    const options = {
      maxHeaderSize: config.limits.headerBytes,
      requestTimeout: 30_000,
      headersTimeout: 10_000,
      keepAliveTimeout: 30_000,
    }
    const listener = (req: IncomingMessage, res: ServerResponse): void => void this.#receive(req, res)
    this.#server =
      config.tls === undefined
        ? createServer(options, listener)
        : createTlsServer({ ...options, ...config.tls }, listener)
    this.#server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
      const status =
        error.code === 'HPE_HEADER_OVERFLOW' ? '431 Request Header Fields Too Large' : '400 Bad Request'
      if (socket.writable) socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\n\r\n`)
    })
  }

  listen(): Promise<string> {
    const { host, port } = this.#deps.config.listen
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject)
      this.#server.listen(port, host, () => {
        this.#server.off('error', reject)
        const address = this.#server.address()
        const bound = typeof address === 'object' && address !== null ? address.port : port
        const scheme = this.#deps.config.tls === undefined ? 'http' : 'https'
        resolve(`${scheme}://${host.includes(':') ? `[${host}]` : host}:${bound}`)
      })
    })
  }

  /** Something about tokens changed: streams and sessions of who may no longer be here end now. */
  async recheck(): Promise<void> {
    const isWelcome = async (principal: Principal): Promise<boolean> =>
      !isRefusal(await this.#deps.tokens.recheck(principal))
    await this.#sessions.endUnless(session => isWelcome(session.principal))
    for (const [res, principal] of this.#open) if (!(await isWelcome(principal))) res.destroy()
  }

  /** Lets calls in flight finish until the deadline, then ends what is left. */
  async close(drainMs: number): Promise<void> {
    const closed = new Promise<void>(resolve => this.#server.close(() => resolve()))
    for (const listener of this.#shutdown) listener()
    this.#sessions.endStreams()
    this.#server.closeIdleConnections()
    const deadline = setTimeout(() => {
      this.#parked.close()
      this.#sessions.close()
      this.#server.closeAllConnections()
    }, drainMs)
    await closed
    clearTimeout(deadline)
    this.#parked.close()
    this.#sessions.close()
  }

  async #receive(req: IncomingMessage, res: ServerResponse): Promise<void> {
    try {
      await this.#admit(req, res)
    } catch {
      // What went wrong is either the client's disappearance or ours to log; the client learns nothing of it.
      if (!res.headersSent)
        sendError(res, { status: 500, error: { code: RPC.internal, message: 'an internal error' } })
      else res.destroy()
    }
  }

  async #admit(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const wrong = checkOrigin(req, this.#origins)
    if (wrong !== undefined) return refuse(res, 403, wrong)
    const path = (req.url ?? '/').split('?', 1)[0] ?? '/'
    if (path === '/healthz') return sendJson(res, 200, '{"status":"ok"}')
    const principal = await this.#authenticate(req, res)
    if (principal === undefined) return
    if (path === '/readyz')
      return sendJson(res, this.#deps.isReady() ? 200 : 503, `{"ready":${this.#deps.isReady()}}`)
    const surface = this.#deps.findSurface(path, principal)
    if (surface === undefined)
      return refuse(res, 404, 'there is nothing here for you; see /mcp/direct and /mcp/servers/NAME')
    if (this.#open.size >= this.#deps.config.limits.concurrentCalls)
      return refuse(res, 503, 'too many requests at once', { 'retry-after': '1' })
    this.#open.set(res, principal)
    res.once('close', () => this.#open.delete(res))
    await this.#dispatch({ req, res, principal, surface })
  }

  /** No request is anonymous, and a bad credential is never taken for a missing one. */
  async #authenticate(req: IncomingMessage, res: ServerResponse): Promise<Principal | undefined> {
    const header = req.headers.authorization
    const token = /^Bearer +([^\s]+) *$/i.exec(header ?? '')?.[1]
    const answer = token === undefined ? undefined : await this.#deps.tokens.authenticate(token)
    if (answer !== undefined && !isRefusal(answer)) return answer
    const challenge =
      header === undefined ? 'Bearer realm="hintgate"' : 'Bearer realm="hintgate", error="invalid_token"'
    const message =
      header === undefined
        ? 'a token is needed: Authorization: Bearer hg_agent_…'
        : 'this token is not valid here'
    refuse(res, 401, message, { 'www-authenticate': challenge })
    return undefined
  }

  async #dispatch(inbound: Inbound): Promise<void> {
    const { req, res, surface } = inbound
    const legacy = { surface, sessions: this.#sessions, limits: this.#deps.config.limits }
    if (req.method === 'GET') return handleLegacyGet(inbound, legacy)
    if (req.method === 'DELETE') return handleLegacyDelete(inbound, legacy)
    if (req.method !== 'POST') return refuse(res, 405, 'Method Not Allowed', { allow: 'GET, POST, DELETE' })
    if (!/^application\/json(?:\s*;|$)/i.test(req.headers['content-type'] ?? ''))
      return refuse(res, 415, 'Content-Type must be application/json')
    const { bodyBytes, jsonDepth } = this.#deps.config.limits
    const text = await readBody(req, bodyBytes)
    if (text === undefined)
      return refuse(res, 413, `a body may have ${bodyBytes} bytes`, { connection: 'close' })
    const body = parseJson(text, jsonDepth)
    if (!body.ok)
      return sendError(res, {
        status: 400,
        error: { code: RPC.parse, message: `Parse error: ${body.reason}` },
      })
    await this.#route(inbound, body.value)
  }

  /** Both eras live on one URL; the body says which one speaks. */
  async #route(inbound: Inbound, body: unknown): Promise<void> {
    const { req, res, surface } = inbound
    const { limits } = this.#deps.config
    const header = (name: string): string | undefined =>
      typeof req.headers[name] === 'string' ? req.headers[name] : undefined
    const version = header('mcp-protocol-version')
    const method = header('mcp-method')
    const outcome = classifyInboundRequest({
      httpMethod: 'POST',
      body,
      ...(version === undefined ? {} : { protocolVersionHeader: version }),
      ...(method === undefined ? {} : { mcpMethodHeader: method }),
    })
    if (outcome.kind === 'legacy')
      return handleLegacyPost(inbound, body, { surface, sessions: this.#sessions, limits })
    if (outcome.kind === 'reject') {
      const { httpStatus, code, message, data } = outcome
      return sendError(res, {
        status: httpStatus,
        error: { code, message, ...(data === undefined ? {} : { data }) },
        id: idOf(body),
      })
    }
    if (outcome.messageKind === 'notification') return void res.writeHead(202).end()
    const { revision } = outcome.classification
    if (revision !== undefined && revision !== MODERN_VERSION) {
      const error = {
        code: RPC.unsupportedVersion,
        message: `Unsupported protocol version: ${revision}`,
        data: { supported: [MODERN_VERSION], requested: revision },
      }
      return sendError(res, { status: 400, error, id: idOf(body) })
    }
    const door = {
      surface,
      limits,
      parked: this.#parked,
      onShutdown: (listener: () => void) => this.#onShutdown(listener),
    }
    await handleModern({ ...inbound, request: body as Request }, door)
  }

  #onShutdown(listener: () => void): () => void {
    this.#shutdown.add(listener)
    return () => this.#shutdown.delete(listener)
  }
}

function idOf(body: unknown): string | number | null {
  const id = (body as { id?: unknown } | null)?.id
  return typeof id === 'string' || typeof id === 'number' ? id : null
}

function refuse(
  res: ServerResponse,
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  sendError(res, { status, error: { code: RPC.generic, message }, headers })
}
