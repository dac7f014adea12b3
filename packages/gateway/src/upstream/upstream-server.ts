import { FairQueue, type Turn } from '../admission/fair-queue.ts'
import type { ServerConfig } from '../config/config.ts'
import { isInputRequired } from '../protocol/eras.ts'
import { Attempt, type ServerReply, type ServerRequest } from './attempt.ts'
import type { Failure } from './channel/channel.ts'
import type { Connection } from './connection/connection.ts'
import { answeringRoots } from './connection/roots.ts'
import { screenQuestions } from './connection/screen-questions.ts'
import { startFailure } from './opener.ts'
import { pauseWhileAsking } from './pause-while-asking.ts'
import { RetryBudget } from './recovery/retry-budget.ts'
import { repeat } from './repeat.ts'
import { Retries } from './retries.ts'
import { ServerConnections, SHARED, type UpstreamDeps } from './server-connections.ts'
import { afterWaiting, withinTime, withTimeLeft } from './within-time.ts'

/** The name under which the gateway's own requests are queued. No caller has an empty name. */
const GATEWAY = ''

/** A configured server: its queue of waiting requests, and the way each request is sent. */
export class UpstreamServer extends ServerConnections {
  readonly #queue: FairQueue
  readonly #retryBudget: RetryBudget
  /** Number of requests from callers so far. */
  #requests = 0
  #answers = 0
  #firstCaller: string | undefined
  #isShared = false

  constructor(config: ServerConfig, deps: UpstreamDeps) {
    super(config, deps)
    this.#queue = new FairQueue({ slots: config.concurrency, waiting: config.queue })
    this.#retryBudget = new RetryBudget(config.retry.budget)
  }

  /** The failure that every call gets while the gateway sends nothing to this server; undefined otherwise. */
  get refusal(): Failure | undefined {
    return this.isBreakerOpen ? this.breaker.refuse() : undefined
  }

  /** The number of calls that are running, and of calls that wait. */
  get load(): FairQueue['load'] {
    return this.#queue.load
  }

  get isBreakerOpen(): boolean {
    return this.breaker.opened !== undefined
  }

  /** Sends a request when it reaches the front of the queue. The request can be cancelled at any time. */
  send(request: ServerRequest): Attempt {
    const attempt = new Attempt()
    const { refusal } = this
    if (refusal !== undefined) {
      attempt.reply = Promise.resolve({ kind: 'failure', failure: refusal })
      return attempt
    }
    const { timeoutMs } = request
    if (timeoutMs > 0) attempt.endsAt = performance.now() + timeoutMs
    if (request.mayRepeat !== undefined) this.#requests += 1
    const caller = callerOf(request)
    if (caller !== this.#firstCaller) this.#noteCaller(caller)
    const turn = this.#queue.enter(attempt, caller, timeoutMs)
    attempt.reply =
      typeof turn === 'string'
        ? this.#take(turn, request, attempt)
        : turn.then(given => this.#take(given, afterWaiting(request, attempt), attempt))
    return attempt
  }

  async #take(turn: Turn, request: ServerRequest, attempt: Attempt): Promise<ServerReply> {
    if (turn === 'cancelled') return { kind: 'cancelled' }
    if (turn !== 'granted') return { kind: 'overloaded' }
    try {
      const why = this.isIsolated ? this.makeRoom(request) : undefined
      if (why !== undefined) return { kind: 'overloaded', why }
      const answersBefore = this.#answers
      const reply = await this.#sendOnce(request, attempt)
      if (reply.kind !== 'answer' || isInputRequired(reply.message.result))
        return await this.#repeatIfNeeded(
          this.#note(reply, { request, attempt, answersBefore }),
          request,
          attempt,
        )
      this.#answers += 1
      if (this.breaker.count !== undefined) this.breaker.succeed()
      return reply
    } finally {
      // A server may go on working after a cancellation. The slot stays taken until the server is done, so a series of
      // cancelled calls cannot overload it.
      if (attempt.isCancelled) attempt.whenDone(this.#queue.abandon(attempt))
      else this.#queue.release(attempt)
    }
  }

  #sendOnce(request: ServerRequest, attempt: Attempt): ServerReply | Promise<ServerReply> {
    // The breaker may have opened while the request was in the queue.
    const { refusal } = this
    if (refusal !== undefined) return { kind: 'failure', failure: refusal }
    const key = this.#keyOf(request)
    const connection = this.live.get(key)
    if (connection !== undefined) return this.#sendUnless(connection, request, attempt)
    return this.connect(key).then(
      opened => this.#sendUnless(opened, request, attempt),
      error => ({ kind: 'failure', failure: startFailure(error) }),
    )
  }

  /** Asks for an objection just before sending, and sends the request if there is none. */
  #sendUnless(
    connection: Connection,
    request: ServerRequest,
    attempt: Attempt,
  ): ServerReply | Promise<ServerReply> {
    const objection = request.objectTo?.({ connection, isShared: !this.isIsolated })
    if (objection === undefined) return this.#sendOver(connection, request, attempt)
    return Promise.resolve(objection).then(failure =>
      failure === undefined
        ? this.#sendOver(connection, request, attempt)
        : ({ kind: 'failure', failure } as const),
    )
  }

  #sendOver(
    connection: Connection,
    request: ServerRequest,
    attempt: Attempt,
  ): ServerReply | Promise<ServerReply> {
    // The caller may have cancelled while the server was starting.
    if (attempt.isCancelled) return { kind: 'cancelled' }
    // A modern server asks within its answers, so none of its calls is running while a question waits.
    const isModern = connection.handshake?.era === 'modern'
    return attempt.sendOver(connection, isModern ? request : pauseWhileAsking(request, this.#queue, attempt))
  }

  /** Handles a failure or a question. After either, the request might be sent again. */
  #repeatIfNeeded(first: ServerReply, request: ServerRequest, attempt: Attempt): Promise<ServerReply> {
    const key = this.#keyOf(request)
    return repeat(first, {
      request,
      attempt,
      send: again => withinTime(attempt, this.#sendAgain(again, attempt)),
      openAgain: () => attempt.over && this.retire(key, attempt.over),
      answerRoots: (again, reply) => answeringRoots(again, reply, this.rootsOn(key)),
      retries: this.#retriesOf(request, attempt),
    })
  }

  async #sendAgain(request: ServerRequest, attempt: Attempt): Promise<ServerReply> {
    await this.#queue.resume(attempt)
    if (attempt.isCancelled) return { kind: 'cancelled' }
    const answersBefore = this.#answers
    const reply = await this.#sendOnce(withTimeLeft(request, attempt), attempt)
    return this.#note(reply, { request, attempt, answersBefore })
  }

  #retriesOf(request: ServerRequest, attempt: Attempt): Retries | undefined {
    if (request.mayRepeat === undefined) return undefined
    return new Retries({
      request,
      attempt,
      queue: this.#queue,
      policy: this.config.retry,
      withdraw: () => this.#retryBudget.withdraw(this.#requests),
      isStopped: () => this.state === 'stopped',
    })
  }

  #note(reply: ServerReply, { request, attempt, answersBefore }: Noted): ServerReply {
    if (!attempt.isSent) return reply
    if (reply.kind === 'answer') {
      this.#answers += 1
      this.breaker.succeed()
      return reply
    }
    const culprit = this.#isShared ? callerOf(request) : undefined
    this.breaker.note(reply, { culprit, wasSilent: this.#answers === answersBefore })
    return reply
  }

  /**
   * Screens the questions in a modern server's answer. The gateway's own findings are added afterwards, when any
   * imitations of them have been removed.
   */
  screen(reply: ServerReply): ServerReply | Promise<ServerReply> {
    const isAsking = reply.kind === 'answer' && isInputRequired(reply.message.result)
    return isAsking ? screenQuestions(reply, this.screening) : reply
  }

  /** Sends a request that stays open without taking a slot, such as a subscription. */
  async open(request: ServerRequest): Promise<Attempt> {
    const why = this.isIsolated ? this.makeRoom(request) : undefined
    if (why !== undefined) throw new Error(why)
    const connection = await this.connect(this.#keyOf(request))
    const attempt = new Attempt()
    const send = (again: ServerRequest): Promise<ServerReply> => attempt.sendOver(connection, again)
    attempt.reply = send(request).then(reply => repeat(reply, { request, attempt, send }))
    return attempt
  }

  #keyOf({ session }: ServerRequest): string {
    return this.isIsolated ? session : SHARED
  }

  #noteCaller(caller: string): void {
    if (caller === GATEWAY) return
    this.#isShared = this.#firstCaller !== undefined
    this.#firstCaller ??= caller
  }
}

interface Noted {
  readonly request: ServerRequest
  readonly attempt: Attempt
  readonly answersBefore: number
}

function callerOf({ client }: ServerRequest): string {
  return client?.caller?.principal.id ?? GATEWAY
}
