import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { OpenResponse } from '../admission/ledger.ts'
import { EventStream } from '../http/sse.ts'
import type { Principal } from '../scope/scope.ts'
import type { discoverIssuer } from '../tokens/oauth/discover-issuer.ts'
import type { UsedStates } from '../tokens/oauth/oidc-flow.ts'
import type { AdminApp } from './app.ts'
import type { AdminDeps } from './http/admin-deps.ts'
import type { Visit } from './http/handler.ts'
import { sendBusy, sendProblem } from './http/problem.ts'
import type { RequestLimits } from './http/read-input.ts'
import { identify, OIDC_CALLBACK } from './sign-in/identify.ts'
import type { IssuerQueue } from './sign-in/oidc-sign-in.ts'

interface Surroundings {
  readonly admin: AdminDeps
  readonly limits: RequestLimits
  readonly streamBytes: number
  /** Marks the connection as in use, so that it is not closed to make room for another one. */
  welcome(socket: Socket): void
  /** Calls the listener when the gateway shuts down; returns a function that removes the listener. */
  onShutdown(listener: () => void): () => void
}

/** The state of sign-ins through an issuer, kept between requests. */
interface OidcMemory {
  readonly discover: typeof discoverIssuer
  readonly used: UsedStates
  readonly issuerQueue: IssuerQueue
}

const EVENTS = '/api/v1/events'

export function isApiPath(path: string): boolean {
  return path.startsWith('/api/')
}

/** Serves the console and the admin API. An agent's token is not accepted here. */
export class AdminDoor {
  readonly #around: Surroundings
  #app: Promise<AdminApp> | undefined
  #oidc: Promise<OidcMemory> | undefined

  constructor(around: Surroundings) {
    this.#around = around
  }

  async receive(visit: Visit, path: string): Promise<void> {
    const { req, res } = visit
    const principal = await identify(visit, this.#around.admin.tokens)
    if ('problem' in principal) return sendProblem(res, principal.problem, principal.headers)
    this.#around.welcome(req.socket)
    const opened = { ...visit, principal, call: undefined }
    const isStream = path === EVENTS
    if (isStream && req.method !== 'GET') return sendProblem(res, 'method_not_allowed')
    const busy = this.#around.limits.open.add(opened, isStream ? 'stream' : 'call')
    if (busy !== undefined) return sendBusy(res, busy)
    if (isStream) this.#streamEvents(opened)
    else return (await this.#getApp())(visit, opened)
  }

  /** Handles sign-in, the only operation of the API that needs no credential. */
  async signIn(visit: Visit): Promise<void> {
    return (await this.#getApp())(visit, undefined)
  }

  async signInByOidc(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { admin } = this.#around
    const { oauth, tls, behindProxy } = admin.config()
    if (oauth?.console === undefined) return sendProblem(res, 'not_found')
    const [{ signInByOidc }, { OidcFlow }, { ConsoleTokens }, memory] = await Promise.all([
      import('./sign-in/oidc-sign-in.ts'),
      import('../tokens/oauth/oidc-flow.ts'),
      import('../tokens/console-tokens.ts'),
      this.#rememberOidc(),
    ])
    const { discover, ...kept } = memory
    const redirectUrl = `${oauth.resource}${OIDC_CALLBACK}`
    const around = { key: admin.key, redirectUrl, now: Date.now, discover }
    const flow = new OidcFlow(oauth.console, around)
    const isSecure = tls !== undefined || behindProxy
    const people = new ConsoleTokens(admin)
    await signInByOidc(req, res, { flow, people, isSecure, isDirect: !behindProxy, ...kept })
  }

  #rememberOidc(): Promise<OidcMemory> {
    this.#oidc ??= Promise.all([
      import('../tokens/oauth/discover-issuer.ts'),
      import('../tokens/oauth/oidc-flow.ts'),
      import('./sign-in/oidc-sign-in.ts'),
    ]).then(([{ rememberIssuers }, { UsedStates }, { IssuerQueue }]) => ({
      discover: rememberIssuers(Date.now),
      used: new UsedStates(Date.now),
      issuerQueue: new IssuerQueue(),
    }))
    return this.#oidc
  }

  /** Serves the metrics to Prometheus, which can send a person's token as a bearer token. */
  async showMetrics(req: IncomingMessage, res: ServerResponse, principal: Principal): Promise<void> {
    if (principal.kind !== 'person') return sendProblem(res, 'not_for_agents')
    if (req.method !== 'GET') return sendProblem(res, 'method_not_allowed')
    const metrics = await this.#around.admin.metrics()
    res.writeHead(200, { 'content-type': metrics.contentType }).end(await metrics.metrics())
  }

  /** Returns the API, which is loaded on the first request to keep startup fast. */
  #getApp(): Promise<AdminApp> {
    this.#app ??= import('./app.ts').then(({ createApp }) =>
      createApp(this.#around.admin, this.#around.limits),
    )
    return this.#app
  }

  #streamEvents(inbound: OpenResponse & Visit): void {
    const { req, res } = inbound
    const stream = new EventStream(res, this.#around.streamBytes)
    const lastId = Number(req.headers['last-event-id'] ?? Number.NaN)
    const stop = this.#around.admin.hub.listen(
      event => stream.send(JSON.stringify(event), String(event.id)),
      Number.isSafeInteger(lastId) ? lastId : undefined,
    )
    // An event stream never ends by itself, so it would keep the gateway from stopping.
    const stopWaiting = this.#around.onShutdown(() => stream.end())
    res.once('close', () => {
      stop()
      stopWaiting()
    })
  }
}
