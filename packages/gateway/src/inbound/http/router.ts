import type { ServerResponse } from 'node:http'
import { type AdminDoor, isApiPath } from '../../admin/admin-door.ts'
import type { Connections } from '../../admission/connections.ts'
import type { Ledger } from '../../admission/ledger.ts'
import type { Surface } from '../../exchange/surface.ts'
import { sendError, sendJson } from '../../http/answer.ts'
import { type AllowedOrigins, allowOrigins, checkOrigin } from '../../http/check-origin.ts'
import type { DirectRequest } from '../../http/direct-request.ts'
import { readModernRequest } from '../../protocol/read-modern.ts'
import { findOwner } from '../../replicas/pass-on.ts'
import { readBearer } from '../../tokens/token-format.ts'
import type { LegacySessions } from '../legacy/legacy-sessions.ts'
import type { LegacyTransport } from '../legacy/legacy-transport.ts'
import { handleModern, type ModernTransport } from '../modern/modern-transport.ts'
import { explainFault } from '../wire/explain-fault.ts'
import type { Inbound } from '../wire/inbound.ts'
import type { PublicRouteDeps } from './answer-publicly.ts'
import { authenticate } from './authenticate.ts'
import type { HttpDeps } from './http-deps.ts'
import { ReplicaPasser } from './pass-to-replica.ts'
import { findPublicRoute } from './public-routes.ts'
import { MessageReader } from './read-message.ts'
import { refuse, refuseBusy, refuseLate, refuseNotFound } from './refuse-request.ts'
import { routeLegacy, routeWithoutBody } from './route-legacy.ts'

/** The parts of the gateway to which the router passes requests. */
export interface Routes {
  readonly ledger: Ledger
  readonly connections: Connections
  readonly admin: AdminDoor
  readonly sessions: LegacySessions
  readonly modern: ModernTransport
}

/** The phase in which a request starts. Requests with other methods are answered immediately. */
const PHASES: Readonly<Record<string, 'body' | 'stream'>> = { POST: 'body', GET: 'stream' }

/** Checks the origin and the token of each request, and passes it to its surface and transport. */
export class Router {
  readonly #deps: HttpDeps
  readonly #routes: Routes
  readonly #origins: AllowedOrigins
  readonly #publicDeps: PublicRouteDeps
  readonly #replicas: ReplicaPasser
  readonly #reader: MessageReader

  constructor(deps: HttpDeps, routes: Routes) {
    this.#deps = deps
    this.#routes = routes
    this.#origins = allowOrigins(deps.config)
    this.#replicas = new ReplicaPasser(deps.stamps)
    this.#publicDeps = {
      oauth: deps.oauth,
      finishSignIn: deps.finishSignIn,
      answers: deps.answers,
      admin: routes.admin,
      prove: challenge => deps.stamps.prove(challenge),
    }
    this.#reader = new MessageReader({
      limits: deps.config.limits,
      longWork: deps.longWork,
      adoptTrace: deps.adoptTrace,
      ledger: routes.ledger,
      guard: (res, work) => this.#guard(res, work),
      onMessage: (inbound, message) => this.#route(inbound, message),
    })
  }

  /** Most requests pass without waiting, because the token is cached and the body is complete. */
  receive(req: DirectRequest, res: ServerResponse): void {
    this.#guard(res, () => {
      const headers = req.receive()
      if (typeof headers === 'string')
        return refuse(res, 403, `the request has the header ${headers} more than once; send it once`)
      const wrong = checkOrigin(headers, this.#origins)
      if (wrong !== undefined) return refuse(res, 403, wrong)
      const path = pathOf(req.url ?? '/')
      const publicRoute = findPublicRoute(path, this.#publicDeps)
      if (publicRoute !== undefined) return publicRoute({ req, res, headers, path }, this.#publicDeps)
      if (isApiPath(path)) return this.#routes.admin.receive({ req, res, headers }, path)
      const token = readBearer(headers.authorization)
      const known = token === undefined ? undefined : this.#deps.tokens.recall(token)
      if (known !== undefined) return this.#enter({ req, res, headers, principal: known }, path)
      return authenticate({ headers, res, path }, token, this.#deps).then(principal => {
        if (principal !== undefined) this.#enter({ req, res, headers, principal }, path)
      })
    })
  }

  /**
   * Runs `work`. If an internal error occurs, only this response ends: the operator gets the details, and the client
   * learns only that there was an error.
   */
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
    this.#routes.connections.enter(req.socket)
    // A token that was issued for one path is valid only at that path.
    if (principal.path !== undefined && principal.path !== path) return refuseNotFound(res)
    if (path === '/readyz') {
      const ready = this.#deps.isReady()
      return sendJson(res, ready ? 200 : 503, `{"ready":${ready}}`)
    }
    if (path === '/metrics')
      return this.#guard(res, () => this.#routes.admin.showMetrics(req, res, principal))
    const surface = this.#deps.findSurface(path, principal)
    if (surface === undefined) return refuseNotFound(res)
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
    // A request to end a session is never refused as busy, because it also ends the session's calls.
    const busy =
      phase === undefined
        ? this.#routes.ledger.add(inbound, 'call', 0)
        : this.#routes.ledger.add(inbound, phase)
    if (busy === undefined) this.#dispatch(inbound)
    else refuseBusy(res, busy)
  }

  #dispatch(inbound: Inbound): void {
    if (inbound.req.method === 'POST') return this.#reader.read(inbound)
    const owner = findOwner(inbound, undefined, this.#deps.stamps)
    if (owner !== undefined) return this.#guard(inbound.res, () => this.#replicas.pass(inbound, owner))
    routeWithoutBody(inbound, this.#legacyAt(inbound.surface))
  }

  /** Both protocol eras use the same URL; the body shows which one a message belongs to. */
  #route(inbound: Inbound, body: unknown): void | Promise<void> {
    const owner = findOwner(inbound, body, this.#deps.stamps)
    if (owner !== undefined) return this.#replicas.pass(inbound, owner, body)
    const request = readModernRequest(body, inbound.headers['mcp-protocol-version'])
    if (request !== undefined) return handleModern(inbound, request, this.#routes.modern)
    return routeLegacy(inbound, body, this.#legacyAt(inbound.surface))
  }

  #legacyAt(surface: Surface): LegacyTransport {
    const { sessions, ledger } = this.#routes
    return { surface, sessions, limits: this.#deps.config.limits, hold: inbound => ledger.hold(inbound) }
  }
}

function pathOf(url: string): string {
  const end = url.indexOf('?')
  return end < 0 ? url : url.slice(0, end)
}
