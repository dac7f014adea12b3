import { Attention, readCpuMs } from '../admission/talk.ts'
import type { ServerConfig } from '../config/config.ts'
import type { Notification } from '../protocol/messages.ts'
import type { Envelope } from '../protocol/modern.ts'
import type { Era } from '../store/store.ts'
import type { ServerRequest } from './attempt.ts'
import type { Failure } from './channel/channel.ts'
import type { Owner } from './connection/callers.ts'
import type { Connection } from './connection/connection.ts'
import { capabilitiesWith, type Roots } from './connection/roots.ts'
import type { Screen } from './connection/screen-questions.ts'
import type { Handshake, UpstreamRequest } from './connection/upstream-request.ts'
import { IsolatedSessions } from './isolated-sessions.ts'
import { Opener, type OpenerDeps, startFailure } from './opener.ts'
import { Breaker } from './recovery/breaker.ts'

export type ServerState = 'idle' | 'starting' | 'ready' | 'waiting' | 'stopped'

export interface UpstreamDeps extends OpenerDeps {
  rememberEra(era: Era): Promise<void>
}

export interface ServerListener {
  onReady(handshake: Handshake): void
  /** Called for a notification. `owner` is the only caller that it can belong to, if that is known. */
  onEvent(notification: Notification, owner: Owner | undefined): void
  onDown(failure: Failure): void
}

export const SHARED = ''

const BACKOFF_MS = [100, 250, 500, 1000, 2000, 5000, 10_000, 30_000]
/** After this long without a failure, the pauses before restarts begin with the shortest one again. */
const STABLE_MS = 10_000
/** Time limit for a probe. */
const PROBE_MS = 5000

/**
 * The connections to one server: a shared one, or one per session if sessions are isolated. A lost connection is
 * reopened after a pause.
 */
export class ServerConnections {
  readonly config: ServerConfig
  readonly name: string
  protected readonly isIsolated: boolean
  state: ServerState = 'idle'
  /** How many times the shared connection was opened. */
  starts = 0
  lastFailure: Failure | undefined
  handshake: Handshake | undefined
  /** Open connections. A request that finds one here need not wait. */
  protected readonly live = new Map<string, Connection>()
  protected readonly breaker: Breaker
  /** Checks the notifications and questions that the server sends. */
  protected screening: Screen = { checkNotification: params => params, checkQuestion: params => params }
  readonly #deps: UpstreamDeps
  readonly #listeners = new Set<ServerListener>()
  readonly #opener: Opener
  readonly #sessions: IsolatedSessions
  /** All connections, including those that are still being opened. */
  readonly #all = new Map<string, Promise<Connection>>()
  /** Limits the time spent on this server's messages. All its connections share it. */
  readonly #attention = new Attention(readCpuMs)
  #failures = 0
  #restart: NodeJS.Timeout | undefined

  constructor(config: ServerConfig, deps: UpstreamDeps) {
    this.config = config
    this.name = config.name
    this.isIsolated = config.isolation === 'session'
    this.#deps = deps
    this.#opener = new Opener(config, deps)
    this.#sessions = new IsolatedSessions(config)
    this.breaker = new Breaker({
      probe: () => this.#probe(),
      onOpen: failure => this.#onBreakerOpen(failure),
      onClosed: () => this.#onBreakerClosed(),
    })
  }

  /** The client details that the gateway sends with its own requests. */
  get ownEnvelope(): Envelope {
    return { capabilities: capabilitiesWith(this.rootsOn(SHARED)), clientInfo: this.#deps.clientInfo }
  }

  listen(listener: ServerListener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  screenWith(screen: Screen): void {
    this.screening = screen
  }

  /** Connects now, unless the config says that the server starts only at its first call. */
  start(): void {
    if (!this.config.lazy) this.connect(SHARED).catch(() => {})
  }

  /** Returns what the server said in its handshake. Connects first if necessary. */
  async ready(): Promise<Handshake> {
    if (this.handshake !== undefined) return this.handshake
    if (this.breaker.isOpen) throw new Error(this.breaker.refuse().detail)
    const { handshake } = await this.connect(SHARED)
    if (handshake === undefined) throw new Error('the handshake with the server failed')
    return handshake
  }

  notify(method: string, params: UpstreamRequest['params'], session: string): void {
    const connection = this.#all.get(this.isIsolated ? session : SHARED)
    connection?.then(ready => ready.notify(method, params)).catch(() => {})
  }

  /**
   * Says what a server on this connection receives when it asks for roots. Clients are asked only on a connection that
   * no other caller uses.
   */
  protected rootsOn(key: string): Roots {
    const { roots } = this.config
    return roots === 'client' && key === SHARED ? [] : roots
  }

  protected connect(key: string): Promise<Connection> {
    const existing = this.#all.get(key)
    if (existing !== undefined) return existing
    if (this.state === 'stopped') return Promise.reject(new Error('the server was stopped'))
    clearTimeout(this.#restart)
    const connecting = this.#open(key)
    this.#all.set(key, connecting)
    connecting.catch(() => {
      if (this.#all.get(key) === connecting) this.#all.delete(key)
    })
    return connecting
  }

  /** Sends no new requests over this connection. Open requests are left to finish. */
  protected retire(key: string, connection: Connection): void {
    if (this.live.get(key) === connection) this.#forget(key)
    if (connection.inFlight === 0) connection.close().catch(() => {})
  }

  protected disconnect(key: string): void {
    const connection = this.#all.get(key)
    this.#forget(key)
    connection?.then(ready => ready.close()).catch(() => {})
  }

  release(session: string): void {
    if (!this.isIsolated) return
    this.#sessions.forget(session)
    this.disconnect(session)
  }

  /**
   * Closes connections of idle sessions if there are too many, because modern clients do not announce the end of a
   * session. Returns the reason if there is still no room.
   */
  protected makeRoom({ session, client }: ServerRequest): string | undefined {
    const caller = client?.caller?.principal.id ?? session
    const isIdle = (other: string): boolean => (this.live.get(other)?.inFlight ?? 1) === 0
    const { over, full } = this.#sessions.use({ session, caller, now: Date.now() }, isIdle)
    for (const other of over) this.release(other)
    return (
      full &&
      `too many isolated sessions are busy; wait until some end, or raise \`${full}\` in the server's config`
    )
  }

  async stop(): Promise<void> {
    this.state = 'stopped'
    clearTimeout(this.#restart)
    this.breaker.stop()
    const connections = [...this.#all.values()]
    this.#all.clear()
    this.live.clear()
    await this.#opener.stop()
    await Promise.allSettled(connections.map(async connection => (await connection).close()))
  }

  async #open(key: string): Promise<Connection> {
    this.state = 'starting'
    try {
      const connection = await this.#opener.open({
        roots: this.rootsOn(key),
        attention: this.#attention,
        screen: {
          checkNotification: params => this.screening.checkNotification(params),
          checkQuestion: params => this.screening.checkQuestion(params),
        },
        onEvent: (notification, owner) => {
          for (const listener of this.#listeners) listener.onEvent(notification, owner)
        },
        onClosed: (failure, openedAt) => {
          if (Date.now() - openedAt > STABLE_MS) this.#failures = 0
          this.#forget(key)
          this.#becomeDown(failure, key)
        },
      })
      this.live.set(key, connection)
      this.#becomeReady(connection, key)
      return connection
    } catch (error) {
      const failure = startFailure(error)
      this.#becomeDown(failure, key)
      this.breaker.fail(failure)
      throw error
    }
  }

  #forget(key: string): void {
    this.#all.delete(key)
    this.live.delete(key)
  }

  #becomeReady({ handshake }: Connection, key: string): void {
    if (handshake === undefined) return
    if (key === SHARED) this.starts += 1
    this.handshake = handshake
    if (handshake.isCertain) this.#deps.rememberEra(handshake.era).catch(() => {})
    // While the breaker is open, a handshake alone does not prove that the server works.
    if (!this.breaker.isOpen) this.#announceReady(handshake)
  }

  #announceReady(handshake: Handshake): void {
    this.state = 'ready'
    this.lastFailure = undefined
    for (const listener of this.#listeners) listener.onReady(handshake)
  }

  #becomeDown(failure: Failure, key: string): void {
    if (this.state === 'stopped') return
    this.state = 'waiting'
    this.lastFailure = failure
    // While the breaker is open, listeners already know that the server is down, and the next probe restarts it.
    if (this.breaker.isOpen) return
    for (const listener of this.#listeners) listener.onDown(failure)
    if (key === SHARED && !this.config.lazy) this.#restartLater()
  }

  /** Reconnects after a pause. A call that comes sooner does not wait for the pause but connects immediately. */
  #restartLater(): void {
    const pause = BACKOFF_MS[Math.min(this.#failures, BACKOFF_MS.length - 1)] ?? 0
    this.#failures += 1
    clearTimeout(this.#restart)
    const restart = (): void => void this.connect(SHARED).catch(() => {})
    this.#restart = setTimeout(restart, pause * (0.75 + Math.random() / 2)).unref()
  }

  async #probe(): Promise<boolean> {
    const connection = await this.connect(SHARED)
    const { reply } = connection.send({
      method: connection.handshake?.era === 'modern' ? 'server/discover' : 'ping',
      envelope: this.ownEnvelope,
      timeoutMs: Math.min(PROBE_MS, this.config.timeoutMs),
    })
    const said = await reply
    // Even an error reply proves that the server is up.
    return said.kind === 'answer' || (said.kind === 'failure' && said.failure.kind !== 'unavailable')
  }

  #onBreakerOpen(failure: Failure): void {
    if (this.state === 'stopped') return
    clearTimeout(this.#restart)
    this.state = 'waiting'
    this.lastFailure = failure
    for (const listener of this.#listeners) listener.onDown(this.breaker.refuse())
  }

  #onBreakerClosed(): void {
    if (this.state !== 'stopped' && this.handshake !== undefined) this.#announceReady(this.handshake)
  }
}
