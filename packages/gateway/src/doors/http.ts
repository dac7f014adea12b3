import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AdminDeps } from '../admin/admin-deps.ts'
import { AdminDoor, isApiPath, isOidcPath } from '../admin/admin-door.ts'
import { isConsolePath, serveConsole } from '../admin/serve-console.ts'
import type { Config } from '../config/config.ts'
import { RPC } from '../protocol/messages.ts'
import { parseJson, writeJson } from '../protocol/parse-json.ts'
import { readModernRequest } from '../protocol/read-modern.ts'
import { findOwner } from '../replicas/find-owner.ts'
import { passOn } from '../replicas/pass-on.ts'
import type { Stamps } from '../replicas/stamps.ts'
import { describeResource } from '../tokens/oauth/resource-metadata.ts'
import type { Principal } from '../tokens/scope.ts'
import { isRefusal, type Tokens } from '../tokens/tokens.ts'
import { CALLBACK_PATH } from '../upstream/oauth/create-upstream-oauth.ts'
import { sendError, sendJson } from './answer-http.ts'
import { challengeFor } from './challenge.ts'
import { type AllowedOrigins, allowOrigins, checkOrigin } from './check-origin.ts'
import { type Classify, classifyIfLoaded, loadClassify } from './classify-inbound.ts'
import { explainFault } from './explain-fault.ts'
import type { Inbound } from './inbound.ts'
import { handleLegacyDelete, handleLegacyGet, handleLegacyPost, refuseUnknownSession } from './legacy-door.ts'
import { LegacySessions } from './legacy-sessions.ts'
import { handleModern, type ModernDoor } from './modern-door.ts'
import { OpenResponses } from './open-responses.ts'
import { ParkedCalls } from './parked-calls.ts'
import { readBody } from './read-body.ts'
import { type KnownHeaders, readHeaders } from './read-headers.ts'
import { refuseUnclear } from './refuse-unclear.ts'
import { type FinishSignIn, handleSignInCallback } from './sign-in-callback.ts'
import type { Surface } from './surface.ts'

export interface HttpDeps {
  readonly config: Config
  readonly tokens: Tokens
  /** Where sessions and parked calls live, when there are several gateways behind one address. */
  readonly stamps: Stamps
  /** The surface behind a path, if there is one *for this caller*. */
  findSurface(path: string, principal: Principal): Surface | undefined
  isReady(): boolean
  readonly admin: AdminDeps
  readonly finishSignIn: FinishSignIn
  /** A fault of ours; clients learn nothing of it. */
  onError(error: unknown): void
  /** Puts into a message what the headers say of the trace that it belongs to. Absent: nobody traces anything. */
  readonly adoptTrace?: (body: unknown, rawHeaders: readonly string[]) => unknown
}

const BEARER = /^Bearer +([^\s]+) *$/i
const JSON_TYPE = /^application\/json(?:\s*;|$)/i

/** The HTTP door: who is there, is it allowed to be, and which surface does it want. Bytes in, bytes out. */
export class HttpDoor {
  readonly #deps: HttpDeps
  readonly #server: Server
  readonly #origins: AllowedOrigins
  readonly #sessions: LegacySessions
  readonly #parked: ParkedCalls
  readonly #shutdown = new Set<() => void>()
  readonly #open: OpenResponses
  readonly #modern: ModernDoor
  readonly #admin: AdminDoor

  constructor(deps: HttpDeps) {
    this.#deps = deps
    const { config } = deps
    this.#origins = allowOrigins(config)
    this.#sessions = new LegacySessions(config.limits, deps.stamps)
    this.#parked = new ParkedCalls(config.limits, deps.stamps)
    this.#open = new OpenResponses(config.limits)
    this.#admin = new AdminDoor({
      admin: deps.admin,
      streamBytes: config.limits.streamBytes,
      becomeStream: opened => this.#open.addCall(opened) && this.#open.becomeStream(opened),
    })
    this.#modern = {
      limits: config.limits,
      parked: this.#parked,
      becomeStream: opened => this.#open.becomeStream(opened),
      onShutdown: listener => this.#onShutdown(listener),
    }
    const options = {
      maxHeaderSize: config.limits.headerBytes,
      requestTimeout: 30_000,
      headersTimeout: 10_000,
      keepAliveTimeout: 30_000,
    }
    const listener = (req: IncomingMessage, res: ServerResponse): void => this.#receive(req, res)
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
        loadClassify().catch((error: unknown) => this.#deps.onError(error))
        const address = this.#server.address()
        const bound = typeof address === 'object' && address !== null ? address.port : port
        const scheme = this.#deps.config.tls === undefined ? 'http' : 'https'
        resolve(`${scheme}://${host.includes(':') ? `[${host}]` : host}:${bound}`)
      })
    })
  }

  /** Something about tokens changed: streams and sessions of who may no longer be here end now. */
  async recheck(): Promise<void> {
    const find = async (principal: Principal): Promise<Principal | undefined> => {
      const now = await this.#deps.tokens.recheck(principal)
      return isRefusal(now) ? undefined : now
    }
    await this.#sessions.recheck(find)
    await this.#open.recheck(find)
    await this.#parked.recheck(find)
  }

  /** A surface is gone, and with it everything that was open there. */
  endAt(surface: Surface): void {
    this.#sessions.endAt(surface)
    this.#open.endAt(surface)
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

  /** The usual request finds its token known and its body whole, and goes through without waiting for anything. */
  #receive(req: IncomingMessage, res: ServerResponse): void {
    this.#guard(res, () => {
      const { oauth } = this.#deps.config
      const headers = readHeaders(req.rawHeaders)
      if (typeof headers === 'string') return refuse(res, 403, `the header ${headers} may be there only once`)
      const wrong = checkOrigin(headers, this.#origins)
      if (wrong !== undefined) return refuse(res, 403, wrong)
      const path = (req.url ?? '/').split('?', 1)[0] ?? '/'
      if (path === '/healthz') return sendJson(res, 200, '{"status":"ok"}')
      if (path === CALLBACK_PATH) return handleSignInCallback({ req, res }, this.#deps.finishSignIn)
      const metadata = oauth && describeResource(path, oauth)
      if (metadata !== undefined) return sendJson(res, 200, JSON.stringify(metadata))
      if (isOidcPath(path)) return this.#admin.signInByOidc(req, res)
      if (isApiPath(path)) return this.#admin.receive({ req, res, headers }, path)
      if (isConsolePath(path)) return serveConsole(req, res, path)
      const token = BEARER.exec(headers.authorization ?? '')?.[1]
      const known = token === undefined ? undefined : this.#deps.tokens.recall(token)
      if (known !== undefined) return this.#enter({ req, res, headers, principal: known }, path)
      return this.#authenticate({ headers, res, path }, token).then(principal => {
        if (principal !== undefined) this.#enter({ req, res, headers, principal }, path)
      })
    })
  }

  /** A fault of ours ends one response and is told to the operator; the client learns only that there was one. */
  #guard(res: ServerResponse, work: () => void | Promise<void>): void {
    const fail = (error: unknown): void => {
      this.#deps.onError(error)
      if (res.headersSent) res.destroy()
      else sendError(res, explainFault(error))
    }
    try {
      work()?.catch(fail)
    } catch (error) {
      fail(error)
    }
  }

  /** No request is anonymous, and a bad credential is never taken for a missing one. */
  async #authenticate(
    { headers, res, path }: { headers: KnownHeaders; res: ServerResponse; path: string },
    token: string | undefined,
  ): Promise<Principal | undefined> {
    const answer = token === undefined ? undefined : await this.#deps.tokens.authenticate(token)
    if (answer !== undefined && !isRefusal(answer)) return answer
    const failure = headers.authorization === undefined ? 'missing' : (answer?.code ?? 'malformed')
    const { status, message, challenge } = challengeFor(failure, path, this.#deps.config.oauth)
    refuse(res, status, message, { 'www-authenticate': challenge })
    return undefined
  }

  #enter({ req, res, headers, principal }: Omit<Inbound, 'surface' | 'call'>, path: string): void {
    if (path === '/readyz') {
      const ready = this.#deps.isReady()
      return sendJson(res, ready ? 200 : 503, `{"ready":${ready}}`)
    }
    if (path === '/metrics') return this.#guard(res, () => this.#admin.showMetrics(req, res, principal))
    const isElsewhere = principal.path !== undefined && principal.path !== path
    const surface = isElsewhere ? undefined : this.#deps.findSurface(path, principal)
    if (surface === undefined)
      return refuse(res, 404, 'there is nothing here for you; see /mcp, /mcp/direct and /mcp/servers/NAME')
    const inbound: Inbound = { req, res, headers, principal, surface, call: undefined }
    if (!this.#open.addCall(inbound)) {
      return refuse(res, 503, 'too many requests at once; see limits.concurrentCalls', { 'retry-after': '1' })
    }
    this.#dispatch(inbound)
  }

  #dispatch(inbound: Inbound): void {
    const { req, res, surface } = inbound
    if (req.method === 'POST') return this.#post(inbound)
    const owner = findOwner(inbound, undefined, this.#deps.stamps)
    if (owner !== undefined) return this.#guard(res, () => this.#passOn(inbound, owner))
    const legacy = { surface, sessions: this.#sessions, limits: this.#deps.config.limits }
    if (req.method === 'DELETE') return handleLegacyDelete(inbound, legacy)
    if (req.method !== 'GET') return refuse(res, 405, 'Method Not Allowed', { allow: 'GET, POST, DELETE' })
    if (!this.#open.becomeStream(inbound)) return refuse(res, 503, 'too many streams; see limits.streams')
    handleLegacyGet(inbound, legacy)
  }

  #post(inbound: Inbound): void {
    const { req, res, headers } = inbound
    const { bodyBytes, jsonDepth } = this.#deps.config.limits
    if (!JSON_TYPE.test(headers['content-type'] ?? ''))
      return refuse(res, 415, 'Content-Type must be application/json')
    if (Number(headers['content-length'] ?? 0) > bodyBytes) return refuseLarge(res, bodyBytes)
    readBody(req, bodyBytes, text => {
      this.#guard(res, () => {
        if (text === undefined) return refuseLarge(res, bodyBytes)
        const body = parseJson(text, jsonDepth)
        if (body.ok) {
          const { adoptTrace } = this.#deps
          const adopted = adoptTrace === undefined ? body.value : adoptTrace(body.value, req.rawHeaders)
          return this.#route(inbound, adopted)
        }
        const error = { code: RPC.parse, message: `Parse error: ${body.reason}` }
        sendError(res, { status: 400, error })
      })
    })
  }

  /** Both eras live on one URL; the body says which one speaks. */
  #route(inbound: Inbound, body: unknown): void | Promise<void> {
    const owner = findOwner(inbound, body, this.#deps.stamps)
    if (owner !== undefined) return this.#passOn(inbound, owner, body)
    const version = inbound.headers['mcp-protocol-version']
    const request = readModernRequest(body, version)
    if (request !== undefined) return handleModern(inbound, request, this.#modern)
    const classify = classifyIfLoaded()
    return classify === undefined
      ? loadClassify().then(loaded => this.#routeUnclear({ inbound, body }, loaded))
      : this.#routeUnclear({ inbound, body }, classify)
  }

  /** What lives in another replica is answered there; what lived in one that is gone is gone with it. */
  async #passOn({ req, res }: Inbound, to: string, body?: unknown): Promise<void> {
    const isAnswered = await passOn({
      req,
      res,
      to,
      ...(body === undefined ? {} : { body: writeJson(body) }),
    })
    if (!isAnswered) refuseUnknownSession(res)
  }

  /** Everything but what is plainly modern. */
  #routeUnclear(
    { inbound, body }: { inbound: Inbound; body: unknown },
    classify: Classify,
  ): void | Promise<void> {
    const { headers, res, surface } = inbound
    const version = headers['mcp-protocol-version']
    const method = headers['mcp-method']
    const outcome = classify({
      httpMethod: 'POST',
      body,
      ...(version === undefined ? {} : { protocolVersionHeader: version }),
      ...(method === undefined ? {} : { mcpMethodHeader: method }),
    })
    if (outcome.kind === 'legacy') {
      return handleLegacyPost(inbound, body, {
        surface,
        sessions: this.#sessions,
        limits: this.#deps.config.limits,
      })
    }
    if (outcome.kind === 'modern' && outcome.messageKind === 'notification')
      return void res.writeHead(202).end()
    sendError(res, { ...refuseUnclear(outcome), id: idOf(body) })
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

/** The rest of the body is not read, so the connection cannot be used again. */
function refuseLarge(res: ServerResponse, bodyBytes: number): void {
  refuse(res, 413, `a body may have ${bodyBytes} bytes; see limits.body`, { connection: 'close' })
}
