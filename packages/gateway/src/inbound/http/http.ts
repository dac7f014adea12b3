import type { Server, ServerResponse } from 'node:http'
import { AdminDoor, isApiPath } from '../../admin/admin-door.ts'
import type { AdminDeps } from '../../admin/http/admin-deps.ts'
import type { Connections } from '../../admission/connections.ts'
import { Ledger } from '../../admission/ledger.ts'
import type { LongWork } from '../../admission/long-work.ts'
import type { Config } from '../../config/config.ts'
import type { Surface } from '../../exchange/surface.ts'
import { type AllowedOrigins, allowOrigins, checkOrigin } from '../../http/check-origin.ts'
import type { DirectRequest } from '../../http/direct-request.ts'
import { createHttpServer, startListening } from '../../http/http-server.ts'
import { isLongBody, readBody } from '../../http/read-body.ts'
import type { KnownHeaders } from '../../http/read-headers.ts'
import { type Response, RPC } from '../../protocol/messages.ts'
import { parseJson, writeJson } from '../../protocol/parse-json.ts'
import { readLegacyRequest, readModernRequest } from '../../protocol/read-modern.ts'
import { refuseOdd } from '../../protocol/refuse-odd.ts'
import { Meetings } from '../../replicas/meetings.ts'
import { findOwner, passOn } from '../../replicas/pass-on.ts'
import type { Owner, Stamps } from '../../replicas/stamps.ts'
import type { Principal } from '../../scope/scope.ts'
import { readBearer } from '../../tokens/token-format.ts'
import { isRefusal, type Tokens } from '../../tokens/tokens.ts'
import {
  handleLegacyDelete,
  handleLegacyGet,
  handleLegacyRequest,
  type LegacyDoor,
  refuseUnknownSession,
} from '../legacy/legacy-door.ts'
import { LegacySessions } from '../legacy/legacy-sessions.ts'
import { handleModern, type ModernDoor } from '../modern/modern-door.ts'
import { ParkedCalls } from '../modern/parked-calls.ts'
import { sendError, sendJson } from '../wire/answer-http.ts'
import { explainFault } from '../wire/explain-fault.ts'
import type { Inbound } from '../wire/inbound.ts'
import { challengeFor } from './challenge.ts'
import { classifyIfLoaded, loadClassify } from './classify-inbound.ts'
import { countRequests } from './count-requests.ts'
import { type BehindOpenDoors, findOpenDoor } from './open-doors.ts'
import { refuse, refuseBody, refuseBusy, refuseLate, refuseNothingHere } from './refuse-request.ts'
import { routeUnclear } from './route-unclear.ts'
import type { FinishSignIn } from './sign-in-callback.ts'

export interface HttpDeps {
  /** As it was at the start. */
  readonly config: Config
  /** As the config has it now. */
  readonly oauth: () => Config['oauth']
  readonly tokens: Tokens
  /** Where sessions and parked calls live, when there are several gateways behind one address. */
  readonly stamps: Stamps
  /** The surface behind a path, if there is one *for this caller*. */
  findSurface(path: string, principal: Principal): Surface | undefined
  isReady(): boolean
  readonly admin: AdminDeps
  /** Where long bodies wait for each other. */
  readonly longWork: LongWork
  readonly finishSignIn: FinishSignIn
  /** A fault of ours; clients learn nothing of it. */
  onError(error: unknown): void
  /** Puts into a message what the headers say of the trace that it belongs to. Absent: nobody traces anything. */
  readonly adoptTrace?: (body: unknown, rawHeaders: readonly string[]) => unknown
}

/** What a request comes in for; the others are over at once. */
const PHASES: Readonly<Record<string, 'body' | 'stream'>> = { POST: 'body', GET: 'stream' }
const JSON_TYPE = /^application\/json(?:\s*;|$)/i

/** The HTTP door: who is there, is it allowed to be, and which surface does it want. Bytes in, bytes out. */
export class HttpDoor {
  readonly #deps: HttpDeps
  readonly #server: Server
  readonly #origins: AllowedOrigins
  readonly #sessions: LegacySessions
  readonly #parked: ParkedCalls
  readonly #shutdown = new Set<() => void>()
  readonly #ledger: Ledger
  readonly #modern: ModernDoor
  readonly #admin: AdminDoor
  readonly #openly: BehindOpenDoors
  readonly #meetings: Meetings
  readonly #connections: Connections

  constructor(deps: HttpDeps) {
    this.#deps = deps
    const { config } = deps
    this.#origins = allowOrigins(config)
    this.#ledger = new Ledger(config.limits)
    this.#sessions = new LegacySessions(config.limits, deps.stamps, this.#ledger)
    this.#parked = new ParkedCalls(config.limits, deps.stamps)
    this.#admin = new AdminDoor({
      admin: deps.admin,
      turnstile: { open: this.#ledger, longWork: deps.longWork },
      welcome: socket => this.#connections.enter(socket),
      streamBytes: config.limits.streamBytes,
      onShutdown: listener => this.#onShutdown(listener),
    })
    this.#meetings = new Meetings(deps.stamps)
    this.#openly = {
      oauth: deps.oauth,
      finishSignIn: deps.finishSignIn,
      admin: this.#admin,
      prove: challenge => deps.stamps.prove(challenge),
    }
    this.#modern = {
      limits: config.limits,
      parked: this.#parked,
      ledger: this.#ledger,
      becomeStream: opened => this.#ledger.become(opened, 'stream'),
      onShutdown: listener => this.#onShutdown(listener),
    }
    const { server, connections } = createHttpServer(config, (req, res) => this.#receive(req, res))
    this.#server = server
    this.#connections = connections
  }

  async listen(): Promise<string> {
    const url = await startListening(this.#server, this.#deps.config)
    loadClassify().catch((error: unknown) => this.#deps.onError(error))
    return url
  }

  /** Something about tokens changed: streams and sessions of who may no longer be here end now. */
  async recheck(): Promise<void> {
    const find = async (principal: Principal): Promise<Principal | undefined> => {
      const now = await this.#deps.tokens.recheck(principal)
      return isRefusal(now) ? undefined : now
    }
    await this.#sessions.recheck(find)
    await this.#ledger.recheck(find)
    await this.#parked.recheck(find)
  }

  /** A surface is gone, and with it everything that was open there. */
  endAt(surface: Surface): void {
    this.#sessions.endAt(surface)
    this.#ledger.endAt(surface)
  }

  /** Lets calls in flight finish until the deadline, then ends what is left. */
  async close(drainMs: number): Promise<void> {
    const closed = new Promise<void>(resolve => this.#server.close(() => resolve()))
    for (const listener of this.#shutdown) listener()
    this.#sessions.endStreams()
    const stopEnding = this.#connections.endIdle()
    const deadline = setTimeout(() => {
      this.#parked.close()
      this.#sessions.close()
      this.#server.closeAllConnections()
    }, drainMs)
    await closed
    stopEnding()
    clearTimeout(deadline)
    this.#ledger.close()
    this.#parked.close()
    this.#sessions.close()
  }

  /** The usual request finds its token known and its body whole, and goes through without waiting for anything. */
  #receive(req: DirectRequest, res: ServerResponse): void {
    this.#guard(res, () => {
      const headers = req.receive()
      if (typeof headers === 'string') return refuse(res, 403, `the header ${headers} may be there only once`)
      const wrong = checkOrigin(headers, this.#origins)
      if (wrong !== undefined) return refuse(res, 403, wrong)
      const path = pathOf(req.url ?? '/')
      const openDoor = findOpenDoor(path, this.#openly)
      if (openDoor !== undefined) return openDoor({ req, res, headers, path }, this.#openly)
      if (isApiPath(path)) return this.#admin.receive({ req, res, headers }, path)
      const token = readBearer(headers.authorization)
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
    const { status, message, challenge } = challengeFor(failure, path, this.#deps.oauth())
    refuse(res, status, message, { 'www-authenticate': challenge })
    return undefined
  }

  #enter({ req, res, headers, principal }: Omit<Inbound, 'surface' | 'call'>, path: string): void {
    this.#connections.enter(req.socket)
    // A token that was issued for one path is good for nothing else.
    if (principal.path !== undefined && principal.path !== path) return refuseNothingHere(res)
    if (path === '/readyz') {
      const ready = this.#deps.isReady()
      return sendJson(res, ready ? 200 : 503, `{"ready":${ready}}`)
    }
    if (path === '/metrics') return this.#guard(res, () => this.#admin.showMetrics(req, res, principal))
    const surface = this.#deps.findSurface(path, principal)
    if (surface === undefined) return refuseNothingHere(res)
    const inbound: Inbound = {
      req,
      res,
      headers,
      principal,
      surface,
      call: undefined,
      phase: undefined,
      weight: 1,
      bytes: 0,
      isWhole: false,
      share: undefined,
      onLate: refuseLate,
    }
    const phase = PHASES[req.method ?? '']
    // Nobody is too busy to be told that a session is over: that is what ends its calls.
    const busy = phase === undefined ? this.#ledger.add(inbound, 'call', 0) : this.#ledger.add(inbound, phase)
    if (busy === undefined) this.#dispatch(inbound)
    else refuseBusy(res, busy)
  }

  #dispatch(inbound: Inbound): void {
    const { req, res, surface } = inbound
    if (req.method === 'POST') return this.#post(inbound)
    const owner = findOwner(inbound, undefined, this.#deps.stamps)
    if (owner !== undefined) return this.#guard(res, () => this.#passOn(inbound, owner))
    const legacy = this.#legacyAt(surface)
    if (req.method === 'DELETE') return handleLegacyDelete(inbound, legacy)
    if (req.method !== 'GET') return refuse(res, 405, 'Method Not Allowed', { allow: 'GET, POST, DELETE' })
    handleLegacyGet(inbound, legacy)
  }

  #legacyAt(surface: Surface): LegacyDoor {
    const { limits } = this.#deps.config
    return { surface, sessions: this.#sessions, limits, hold: inbound => this.#ledger.hold(inbound) }
  }

  #post(inbound: Inbound): void {
    const { req, res, headers } = inbound
    const { bodyBytes } = this.#deps.config.limits
    if (!isJson(headers['content-type'] ?? ''))
      return refuse(res, 415, 'Content-Type must be application/json')
    if (Number(headers['content-length'] ?? 0) > bodyBytes) return refuseBody(res, 'long', bodyBytes)
    const mayGrow = (bytes: number): boolean => {
      const busy = this.#ledger.grow(inbound, bytes)
      if (busy !== undefined) refuseBusy(res, busy)
      return busy === undefined
    }
    readBody(req, { maxBytes: bodyBytes, mayGrow }, (text, fault) => {
      if (text === undefined) return isAnswered(res) ? undefined : refuseBody(res, fault, bodyBytes)
      if (!isLongBody(text)) return this.#guard(res, () => this.#read(inbound, text))
      // It stands still until its turn comes, which is not its client's fault.
      inbound.isWhole = true
      const leave = this.#deps.longWork.take(inbound.principal.id, () => {
        inbound.call = undefined
        this.#guard(res, () => this.#read(inbound, text))
      })
      // Whoever hangs up takes the body along: it is counted no longer.
      if (leave !== undefined) inbound.call = { cancelUnlessParked: leave }
    })
  }

  #read(inbound: Inbound, text: string): void | Promise<void> {
    const { req, res } = inbound
    const { batch, jsonDepth, members } = this.#deps.config.limits
    // It came too late, or its turn did.
    if (isAnswered(res)) return
    const body = parseJson(text, jsonDepth, members)
    if (!body.ok) {
      const error = { code: RPC.parse, message: `Parse error: ${body.reason}` }
      return sendError(res, { status: 400, error })
    }
    if (Array.isArray(body.value) && body.value.length > batch)
      return refuse(res, 413, `a batch may have ${batch} messages`)
    const refusal = refuseFirst(body.value)
    if (refusal !== undefined) return sendJson(res, 400, writeJson(refusal))
    const { adoptTrace } = this.#deps
    const adopted = adoptTrace === undefined ? body.value : adoptTrace(body.value, req.rawHeaders)
    const busy = this.#ledger.become(inbound, 'call', countRequests(adopted))
    return busy === undefined ? this.#route(inbound, adopted) : refuseBusy(res, busy)
  }

  /** Both eras live on one URL; the body says which one speaks. */
  #route(inbound: Inbound, body: unknown): void | Promise<void> {
    const owner = findOwner(inbound, body, this.#deps.stamps)
    if (owner !== undefined) return this.#passOn(inbound, owner, body)
    const version = inbound.headers['mcp-protocol-version']
    const request = readModernRequest(body, version)
    if (request !== undefined) return handleModern(inbound, request, this.#modern)
    const door = this.#legacyAt(inbound.surface)
    const older = readLegacyRequest(body, version)
    if (older !== undefined) return handleLegacyRequest(inbound, older, door)
    const classify = classifyIfLoaded()
    return classify === undefined
      ? loadClassify().then(loaded => routeUnclear(inbound, body, { door, classify: loaded }))
      : routeUnclear(inbound, body, { door, classify })
  }

  /** What lives in another replica is answered there; what lived in one that is gone is gone with it. */
  async #passOn({ req, res }: Inbound, owner: Owner, body?: unknown): Promise<void> {
    const passage = {
      req,
      res,
      to: owner.address,
      ...(body === undefined ? {} : { body: writeJson(body) }),
    }
    const isAnswered = (await this.#meetings.isThere(owner, performance.now())) && (await passOn(passage))
    if (isAnswered) return
    this.#meetings.forget(owner)
    if (!res.destroyed) refuseUnknownSession(res)
  }

  #onShutdown(listener: () => void): () => void {
    this.#shutdown.add(listener)
    return () => this.#shutdown.delete(listener)
  }
}

function pathOf(url: string): string {
  const end = url.indexOf('?')
  return end < 0 ? url : url.slice(0, end)
}

/** Also where whoever asked has gone. */
function isAnswered({ writableEnded, closed }: ServerResponse): boolean {
  return writableEnded || closed
}

function isJson(type: string): boolean {
  return type === 'application/json' || JSON_TYPE.test(type)
}

/** A batch with one such message is refused as a whole: what the others are worth nobody can say. */
function refuseFirst(body: unknown): Response | undefined {
  if (!Array.isArray(body)) return refuseOdd(body)
  for (const message of body) {
    const refusal = refuseOdd(message)
    if (refusal !== undefined) return refusal
  }
  return undefined
}
