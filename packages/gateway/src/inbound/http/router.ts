import type { ServerResponse } from 'node:http'
import { type AdminDoor, isApiPath } from '../../admin/admin-door.ts'
import type { Connections } from '../../admission/connections.ts'
import type { Ledger } from '../../admission/ledger.ts'
import type { Surface } from '../../exchange/surface.ts'
import { sendError, sendJson } from '../../http/answer.ts'
import { type AllowedOrigins, allowOrigins, checkOrigin } from '../../http/check-origin.ts'
import type { DirectRequest } from '../../http/direct-request.ts'
import { writeJson } from '../../protocol/parse-json.ts'
import { readLegacyRequest, readModernRequest } from '../../protocol/read-modern.ts'
import { Meetings } from '../../replicas/meetings.ts'
import { findOwner, passOn } from '../../replicas/pass-on.ts'
import type { Owner } from '../../replicas/stamps.ts'
import { readBearer } from '../../tokens/token-format.ts'
import {
  handleLegacyDelete,
  handleLegacyGet,
  handleLegacyRequest,
  type LegacyDoor,
  refuseUnknownSession,
} from '../legacy/legacy-door.ts'
import type { LegacySessions } from '../legacy/legacy-sessions.ts'
import { handleModern, type ModernDoor } from '../modern/modern-door.ts'
import { explainFault } from '../wire/explain-fault.ts'
import type { Inbound } from '../wire/inbound.ts'
import { authenticate } from './authenticate.ts'
import type { HttpDeps } from './http-deps.ts'
import { type BehindOpenDoors, findOpenDoor } from './open-doors.ts'
import { MessageReader } from './read-message.ts'
import { refuse, refuseBusy, refuseLate, refuseNothingHere } from './refuse-request.ts'
import { routeUnclear } from './route-unclear.ts'

/** What requests are handed over to. */
export interface Rooms {
  readonly ledger: Ledger
  readonly connections: Connections
  readonly admin: AdminDoor
  readonly sessions: LegacySessions
  readonly modern: ModernDoor
}

/** What a request comes in for; the others are over at once. */
const PHASES: Readonly<Record<string, 'body' | 'stream'>> = { POST: 'body', GET: 'stream' }

/** Who is there, may they be, what do they want: hands each request over to the room that it is for. */
export class Router {
  readonly #deps: HttpDeps
  readonly #rooms: Rooms
  readonly #origins: AllowedOrigins
  readonly #openly: BehindOpenDoors
  readonly #meetings: Meetings
  readonly #reader: MessageReader

  constructor(deps: HttpDeps, rooms: Rooms) {
    this.#deps = deps
    this.#rooms = rooms
    this.#origins = allowOrigins(deps.config)
    this.#meetings = new Meetings(deps.stamps)
    this.#openly = {
      oauth: deps.oauth,
      finishSignIn: deps.finishSignIn,
      admin: rooms.admin,
      prove: challenge => deps.stamps.prove(challenge),
    }
    this.#reader = new MessageReader({
      limits: deps.config.limits,
      longWork: deps.longWork,
      adoptTrace: deps.adoptTrace,
      ledger: rooms.ledger,
      guard: (res, work) => this.#guard(res, work),
      onMessage: (inbound, message) => this.#route(inbound, message),
    })
  }

  /** The usual request finds its token known and its body whole, and goes through without waiting for anything. */
  receive(req: DirectRequest, res: ServerResponse): void {
    this.#guard(res, () => {
      const headers = req.receive()
      if (typeof headers === 'string') return refuse(res, 403, `the header ${headers} may be there only once`)
      const wrong = checkOrigin(headers, this.#origins)
      if (wrong !== undefined) return refuse(res, 403, wrong)
      const path = pathOf(req.url ?? '/')
      const openDoor = findOpenDoor(path, this.#openly)
      if (openDoor !== undefined) return openDoor({ req, res, headers, path }, this.#openly)
      if (isApiPath(path)) return this.#rooms.admin.receive({ req, res, headers }, path)
      const token = readBearer(headers.authorization)
      const known = token === undefined ? undefined : this.#deps.tokens.recall(token)
      if (known !== undefined) return this.#enter({ req, res, headers, principal: known }, path)
      return authenticate({ headers, res, path }, token, this.#deps).then(principal => {
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

  #enter({ req, res, headers, principal }: Omit<Inbound, 'surface' | 'call'>, path: string): void {
    this.#rooms.connections.enter(req.socket)
    // A token that was issued for one path is good for nothing else.
    if (principal.path !== undefined && principal.path !== path) return refuseNothingHere(res)
    if (path === '/readyz') {
      const ready = this.#deps.isReady()
      return sendJson(res, ready ? 200 : 503, `{"ready":${ready}}`)
    }
    if (path === '/metrics') return this.#guard(res, () => this.#rooms.admin.showMetrics(req, res, principal))
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
    const busy =
      phase === undefined
        ? this.#rooms.ledger.add(inbound, 'call', 0)
        : this.#rooms.ledger.add(inbound, phase)
    if (busy === undefined) this.#dispatch(inbound)
    else refuseBusy(res, busy)
  }

  #dispatch(inbound: Inbound): void {
    const { req, res, surface } = inbound
    if (req.method === 'POST') return this.#reader.read(inbound)
    const owner = findOwner(inbound, undefined, this.#deps.stamps)
    if (owner !== undefined) return this.#guard(res, () => this.#passOn(inbound, owner))
    const legacy = this.#legacyAt(surface)
    if (req.method === 'DELETE') return handleLegacyDelete(inbound, legacy)
    if (req.method !== 'GET') return refuse(res, 405, 'Method Not Allowed', { allow: 'GET, POST, DELETE' })
    handleLegacyGet(inbound, legacy)
  }

  #legacyAt(surface: Surface): LegacyDoor {
    const { limits } = this.#deps.config
    return {
      surface,
      sessions: this.#rooms.sessions,
      limits,
      hold: inbound => this.#rooms.ledger.hold(inbound),
    }
  }

  /** Both eras live on one URL; the body says which one speaks. */
  #route(inbound: Inbound, body: unknown): void | Promise<void> {
    const owner = findOwner(inbound, body, this.#deps.stamps)
    if (owner !== undefined) return this.#passOn(inbound, owner, body)
    const version = inbound.headers['mcp-protocol-version']
    const request = readModernRequest(body, version)
    if (request !== undefined) return handleModern(inbound, request, this.#rooms.modern)
    const door = this.#legacyAt(inbound.surface)
    const older = readLegacyRequest(body, version)
    if (older !== undefined) return handleLegacyRequest(inbound, older, door)
    return routeUnclear(inbound, body, door)
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
}

function pathOf(url: string): string {
  const end = url.indexOf('?')
  return end < 0 ? url : url.slice(0, end)
}
