import { FairQueue, type Turn } from '../admission/fair-queue.ts'
import { Attention, readCpuMs } from '../admission/talk.ts'
import type { ServerConfig } from '../config/config.ts'
import { isInputRequired } from '../protocol/eras.ts'
import type { Notification } from '../protocol/messages.ts'
import type { Envelope } from '../protocol/modern.ts'
import type { Era } from '../store/store.ts'
import { Attempt, letRest, type ServerReply, type ServerRequest } from './attempt.ts'
import type { Failure } from './channel/channel.ts'
import type { Owner } from './connection/callers.ts'
import { Connection } from './connection/connection.ts'
import type { Sent } from './connection/pending-calls.ts'
import { answeringRoots, capabilitiesWith, type Roots } from './connection/roots.ts'
import { type Screen, screenQuestions } from './connection/screen-questions.ts'
import type { Handshake, UpstreamRequest } from './connection/upstream-request.ts'
import { IsolatedSessions } from './isolated-sessions.ts'
import { Opener, type OpenerDeps, startFailure } from './opener.ts'
import { Breaker, RetryBudget } from './recovery/breaker.ts'

export type ServerState = 'idle' | 'starting' | 'ready' | 'waiting' | 'stopped'

export interface UpstreamDeps extends OpenerDeps {
  rememberEra(era: Era): Promise<void>
}

export interface ServerListener {
  onReady(handshake: Handshake): void
  /** `owner`: the only caller whom it can be about, where that is known. */
  onEvent(notification: Notification, owner: Owner | undefined): void
  onDown(failure: Failure): void
}

/** A server that was told its roots and asks for them again is not going to answer. */
const MOST_REPETITIONS = 3
const SHARED = ''
/** Who stands in line with what is nobody's in particular. */
const OURS = ''
const BACKOFF_MS = [100, 250, 500, 1000, 2000, 5000, 10_000, 30_000]
/** A server that stayed up this long starts over with short pauses. */
const STABLE_MS = 10_000
/** Longest that a server may take to say that it is there. */
const PROBE_MS = 5000

/** One configured server: its connections, its line of waiting calls, and its recovery. */
export class UpstreamServer {
  readonly config: ServerConfig
  state: ServerState = 'idle'
  /** How many times the connection that lists come from was made. */
  starts = 0
  lastFailure: Failure | undefined
  handshake: Handshake | undefined
  /** How many calls may still be repeated. */
  readonly retries: RetryBudget
  readonly #deps: UpstreamDeps
  readonly #breaker: Breaker
  readonly #queue: FairQueue
  readonly #listeners = new Set<ServerListener>()
  readonly #connections = new Map<string, Promise<Connection>>()
  /** The same, once they are there: most calls need not wait. */
  readonly #ready = new Map<string, Connection>()
  readonly #opener: Opener
  readonly #sessions: IsolatedSessions
  /** However many connections it has, one after the other or at once. */
  readonly #attention = new Attention(readCpuMs)
  #screen: Screen = { said: said => said, asked: said => said }
  #failures = 0
  #answers = 0
  #firstCaller: string | undefined
  /** More than one caller has used it. */
  #isShared = false
  #restart: NodeJS.Timeout | undefined

  constructor(config: ServerConfig, deps: UpstreamDeps) {
    this.config = config
    this.#deps = deps
    this.#queue = new FairQueue({ places: config.concurrency, waiting: config.queue })
    this.#sessions = new IsolatedSessions(config)
    this.#opener = new Opener(config, deps)
    this.retries = new RetryBudget(config.retry.budget)
    this.#breaker = new Breaker({
      probe: () => this.#probe(),
      onOpen: failure => this.#leaveAlone(failure),
      onClosed: () => this.#comeBack(),
    })
  }

  get name(): string {
    return this.config.name
  }

  listen(listener: ServerListener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Has everything looked through that the server says apart from answers. */
  screenWith(screen: Screen): void {
    this.#screen = screen
  }

  /** Connects now, unless the server is to wait for its first call. */
  start(): void {
    if (!this.config.lazy) this.#connection(SHARED).catch(() => {})
  }

  /** What the server said of itself, connecting first where that has not happened yet. */
  async ready(): Promise<Handshake> {
    if (this.handshake !== undefined) return this.handshake
    if (this.#breaker.isOpen) throw new Error(this.#breaker.refuse().detail)
    const { handshake } = await this.#connection(SHARED)
    if (handshake === undefined) throw new Error('the server did not say hello')
    return handshake
  }

  /** Who is behind requests that are ours and nobody's in particular. */
  get ownEnvelope(): Envelope {
    return { capabilities: capabilitiesWith(this.#rootsOn(SHARED)), clientInfo: this.#deps.clientInfo }
  }

  /** Why nothing is sent to the server at the moment, if that is so. */
  get refusal(): Failure | undefined {
    return this.#breaker.isOpen ? this.#breaker.refuse() : undefined
  }

  /** How many calls it is at, and how many wait for their turn. */
  get load(): FairQueue['load'] {
    return this.#queue.load
  }

  get isLeftAlone(): boolean {
    return this.#breaker.isOpen
  }

  /** Sends a request when its turn comes. `cancel` works at any moment. */
  send(request: ServerRequest): Attempt {
    const attempt = new Attempt()
    if (this.#breaker.isOpen) {
      attempt.reply = Promise.resolve({ kind: 'failure', failure: this.#breaker.refuse() })
      return attempt
    }
    const caller = callerOf(request)
    if (caller !== this.#firstCaller) this.#meet(caller)
    const turn = this.#queue.enter(attempt, caller, request.timeoutMs)
    if (typeof turn === 'string') attempt.reply = this.#take(turn, request, attempt)
    else {
      const since = performance.now()
      attempt.reply = turn.then(given => this.#take(given, afterWaiting(request, since), attempt))
    }
    return attempt
  }

  async #take(turn: Turn, request: ServerRequest, attempt: Attempt): Promise<ServerReply> {
    if (turn === 'full' || turn === 'late') return { kind: 'overloaded' }
    if (turn === 'cancelled') return { kind: 'cancelled' }
    const key = this.#keyOf(request.session)
    const answers = this.#answers
    let asked: ServerRequest | undefined
    try {
      const crowd = this.#makeRoom(key, request)
      if (crowd !== undefined) return { kind: 'overloaded', why: crowd }
      for (;;) {
        // Whoever waited in line while the server became known as sick does not have to wait for it, too.
        if (this.#breaker.isOpen) return { kind: 'failure', failure: this.#breaker.refuse() }
        const connection = this.#ready.get(key) ?? (await this.#connection(key).catch(startFailure))
        if (!(connection instanceof Connection)) return { kind: 'failure', failure: connection }
        const failure = await request.objectTo?.({ connection, isShared: key === SHARED })
        if (failure !== undefined) return { kind: 'failure', failure }
        // While the server started, the caller may have gone.
        if (attempt.isCancelled) return { kind: 'cancelled' }
        // Newer servers ask in their answers, and are not at work while they wait.
        const isModern = connection.handshake?.era === 'modern'
        asked ??= isModern ? request : letRest(request, this.#queue, attempt)
        const reply = await attempt.sendOver(connection, asked)
        if (reply.kind === 'answer') {
          this.#answers += 1
          this.#breaker.succeed()
          if (!isInputRequired(reply.message.result)) return reply
          const again = answeringRoots(asked, reply, this.#rootsOn(key))
          if (again === undefined || attempt.repetitions >= MOST_REPETITIONS) return reply
          attempt.repetitions += 1
          asked = again
          continue
        }
        this.#noteFailure(reply, answers, this.#isShared ? callerOf(request) : undefined)
        const isSessionLost = reply.kind === 'failure' && reply.failure.kind === 'session-lost'
        if (!isSessionLost || attempt.isRepeated) return reply
        // The server answered that it does not know us, so it did nothing: say hello again and repeat.
        attempt.isRepeated = true
        this.#retire(key, connection)
      }
    } finally {
      // A server that was told to stop may go on: who calls off one call after the other is not to keep it busy with all of them.
      if (attempt.isCancelled) attempt.whenDone(this.#queue.leaveBehind(attempt))
      else this.#queue.leave(attempt)
    }
  }

  /** What it asks in its answer, as it may be read. After nobody else's remarks are in it: what is found is a remark of ours. */
  screen(reply: ServerReply): ServerReply | Promise<ServerReply> {
    const isAsking = reply.kind === 'answer' && isInputRequired(reply.message.result)
    return isAsking ? screenQuestions(reply, this.#screen) : reply
  }

  /** A request that stays open and takes nobody's turn, such as a subscription. */
  async open(request: ServerRequest): Promise<Sent> {
    const key = this.#keyOf(request.session)
    const crowd = this.#makeRoom(key, request)
    if (crowd !== undefined) throw new Error(crowd)
    return (await this.#connection(key)).send(request)
  }

  notify(method: string, params: UpstreamRequest['params'], session: string): void {
    const connection = this.#connections.get(this.#keyOf(session))
    connection?.then(ready => ready.notify(method, params)).catch(() => {})
  }

  /** A client session ended: with isolation its connection goes with it. */
  release(session: string): void {
    if (this.config.isolation !== 'session') return
    this.#sessions.forget(session)
    const connection = this.#connections.get(session)
    this.#connections.delete(session)
    this.#ready.delete(session)
    connection?.then(ready => ready.close()).catch(() => {})
  }

  async stop(): Promise<void> {
    this.state = 'stopped'
    clearTimeout(this.#restart)
    this.#breaker.stop()
    const connections = [...this.#connections.values()]
    this.#connections.clear()
    this.#ready.clear()
    await this.#opener.stop()
    await Promise.allSettled(connections.map(async connection => (await connection).close()))
  }

  #keyOf(session: string): string {
    return this.config.isolation === 'session' ? session : SHARED
  }

  /** Only on a connection that one caller has to itself is that caller asked for roots. */
  #rootsOn(key: string): Roots {
    const { roots } = this.config
    return roots === 'client' && key === SHARED ? [] : roots
  }

  /** Clients may open as many sessions as they like, and modern ones never say that one is over. Says why there is no room. */
  #makeRoom(key: string, { behind }: ServerRequest): string | undefined {
    if (key === SHARED) return undefined
    const caller = behind?.caller?.principal.id ?? key
    const isIdle = (session: string): boolean => (this.#ready.get(session)?.inFlight ?? 1) === 0
    const { over, full } = this.#sessions.use({ session: key, caller, now: Date.now() }, isIdle)
    for (const session of over) this.release(session)
    return (
      full && `too many sessions are busy that have a connection of their own; see \`${full}\` of the server`
    )
  }

  #connection(key: string): Promise<Connection> {
    const existing = this.#connections.get(key)
    if (existing !== undefined) return existing
    if (this.state === 'stopped') return Promise.reject(new Error('the server was stopped'))
    clearTimeout(this.#restart)
    const connecting = this.#connect(key)
    this.#connections.set(key, connecting)
    connecting.catch(() => {
      if (this.#connections.get(key) === connecting) this.#connections.delete(key)
    })
    return connecting
  }

  async #connect(key: string): Promise<Connection> {
    this.state = 'starting'
    try {
      const connection = await this.#opener.open({
        roots: this.#rootsOn(key),
        attention: this.#attention,
        screen: { said: said => this.#screen.said(said), asked: said => this.#screen.asked(said) },
        onEvent: (notification, owner) => {
          for (const listener of this.#listeners) listener.onEvent(notification, owner)
        },
        onClosed: (failure, openedAt) => {
          if (Date.now() - openedAt > STABLE_MS) this.#failures = 0
          this.#lose(key, failure)
        },
      })
      this.#ready.set(key, connection)
      this.#becomeReady(connection, key)
      return connection
    } catch (error) {
      const failure = startFailure(error)
      this.#becomeDown(failure, key)
      this.#breaker.fail(failure)
      throw error
    }
  }

  #becomeReady(connection: Connection, key: string): void {
    const handshake = connection.handshake
    if (handshake === undefined) return
    if (key === SHARED) this.starts += 1
    this.handshake = handshake
    if (handshake.isCertain) this.#deps.rememberEra(handshake.era).catch(() => {})
    // Who is left alone has to do more than say hello.
    if (!this.#breaker.isOpen) this.#announceReady(handshake)
  }

  #announceReady(handshake: Handshake): void {
    this.state = 'ready'
    this.lastFailure = undefined
    for (const listener of this.#listeners) listener.onReady(handshake)
  }

  /** Only what says something of the server as a whole: a tool that fails, or takes too long, is none of this. */
  #noteFailure(
    reply: Exclude<ServerReply, { kind: 'answer' }>,
    answersBefore: number,
    culprit: string | undefined,
  ): void {
    if (reply.kind === 'failure' && reply.failure.kind === 'unavailable')
      this.#breaker.fail(reply.failure, culprit)
    if (reply.kind === 'timeout' && this.#answers === answersBefore) this.#breaker.fail(silence(), culprit)
  }

  #meet(caller: string): void {
    if (caller === OURS) return
    this.#isShared = this.#firstCaller !== undefined
    this.#firstCaller ??= caller
  }

  async #probe(): Promise<boolean> {
    const connection = await this.#connection(SHARED)
    const { reply } = connection.send({
      method: connection.handshake?.era === 'modern' ? 'server/discover' : 'ping',
      envelope: this.ownEnvelope,
      timeoutMs: Math.min(PROBE_MS, this.config.timeoutMs),
    })
    const said = await reply
    // Whoever says no is there.
    return said.kind === 'answer' || (said.kind === 'failure' && said.failure.kind !== 'unavailable')
  }

  #leaveAlone(failure: Failure): void {
    if (this.state === 'stopped') return
    clearTimeout(this.#restart)
    this.state = 'waiting'
    this.lastFailure = failure
    for (const listener of this.#listeners) listener.onDown(this.#breaker.refuse())
  }

  #comeBack(): void {
    if (this.state !== 'stopped' && this.handshake !== undefined) this.#announceReady(this.handshake)
  }

  #lose(key: string, failure: Failure): void {
    this.#connections.delete(key)
    this.#ready.delete(key)
    this.#becomeDown(failure, key)
  }

  /** No new calls go this way; the ones that are under way find out for themselves. */
  #retire(key: string, connection: Connection): void {
    if (this.#ready.get(key) === connection) {
      this.#ready.delete(key)
      this.#connections.delete(key)
    }
    if (connection.inFlight === 0) connection.close().catch(() => {})
  }

  #becomeDown(failure: Failure, key: string): void {
    if (this.state === 'stopped') return
    this.state = 'waiting'
    this.lastFailure = failure
    // Who is left alone is down already, and is started again when it is asked whether it is back.
    if (this.#breaker.isOpen) return
    for (const listener of this.#listeners) listener.onDown(failure)
    if (key !== SHARED || this.config.lazy) return
    const pause = BACKOFF_MS[Math.min(this.#failures, BACKOFF_MS.length - 1)] ?? 0
    this.#failures += 1
    clearTimeout(this.#restart)
    // A call that comes in meanwhile does not wait for this: it connects at once.
    this.#restart = setTimeout(
      () => this.#connection(SHARED).catch(() => {}),
      pause * (0.75 + Math.random() / 2),
    )
    this.#restart.unref()
  }
}

function callerOf({ behind }: ServerRequest): string {
  return behind?.caller?.principal.id ?? OURS
}

/**
 * Waiting is part of the time that a call has. But at least half is left for the server: what it cannot answer in no time
 * at all must not count as its silence.
 */
function afterWaiting(request: ServerRequest, since: number): ServerRequest {
  const { timeoutMs } = request
  const left = timeoutMs - (performance.now() - since)
  return { ...request, timeoutMs: Math.max(left, timeoutMs / 2) }
}

/** A new one each time: every call that nobody answered counts. */
function silence(): Failure {
  return { kind: 'unavailable', detail: 'it did not answer in time', notSent: false }
}
