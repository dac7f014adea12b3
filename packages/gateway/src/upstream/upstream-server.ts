import { FairQueue, type Turn } from '../admission/fair-queue.ts'
import type { ServerConfig } from '../config/config.ts'
import { isInputRequired } from '../protocol/eras.ts'
import { Attempt, type ServerReply, type ServerRequest } from './attempt.ts'
import type { Failure } from './channel/channel.ts'
import type { Connection } from './connection/connection.ts'
import { answeringRoots } from './connection/roots.ts'
import { screenQuestions } from './connection/screen-questions.ts'
import { startFailure } from './opener.ts'
import { RetryBudget } from './recovery/retry-budget.ts'
import { repeat } from './repeat.ts'
import { restWhileAsked } from './rest-while-asked.ts'
import { Retries } from './retries.ts'
import { ServerConnections, SHARED, type UpstreamDeps } from './server-connections.ts'
import { afterWaiting, withinTime, withTimeLeft } from './within-time.ts'

/** Whose requests the gateway's own are, for the queue. */
const OURS = ''

/** One configured server: its queue of waiting requests, and how each of them is sent. */
export class UpstreamServer extends ServerConnections {
  readonly #queue: FairQueue
  readonly #retryBudget: RetryBudget
  /** How many requests of callers there were. */
  #requests = 0
  #answers = 0
  #firstCaller: string | undefined
  /** More than one caller has used it. */
  #isShared = false

  constructor(config: ServerConfig, deps: UpstreamDeps) {
    super(config, deps)
    this.#queue = new FairQueue({ slots: config.concurrency, waiting: config.queue })
    this.#retryBudget = new RetryBudget(config.retry.budget)
  }

  /** Why nothing is sent to the server at the moment, if that is so. */
  get refusal(): Failure | undefined {
    return this.isLeftAlone ? this.breaker.refuse() : undefined
  }

  /** How many calls it is at, and how many wait for their turn. */
  get load(): FairQueue['load'] {
    return this.#queue.load
  }

  get isLeftAlone(): boolean {
    return this.breaker.opened !== undefined
  }

  /** Sends a request when its turn comes. `cancel` works at any moment. */
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
    if (caller !== this.#firstCaller) this.#meet(caller)
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
        return await this.#goOn(this.#note(reply, { request, attempt, answersBefore }), request, attempt)
      this.#answers += 1
      if (this.breaker.count !== undefined) this.breaker.succeed()
      return reply
    } finally {
      // A server that was told to stop may go on: calling off one call after the other must not keep it busy with all of them.
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

  /** Asked just before it is sent: is there an objection? */
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
    // While the server started, the caller may have gone.
    if (attempt.isCancelled) return { kind: 'cancelled' }
    // Newer servers ask in their answers, and are not at work while they wait.
    const isModern = connection.handshake?.era === 'modern'
    return attempt.sendOver(connection, isModern ? request : restWhileAsked(request, this.#queue, attempt))
  }

  /** The reply is no plain answer: it may be that the request is to be sent again. */
  #goOn(first: ServerReply, request: ServerRequest, attempt: Attempt): Promise<ServerReply> {
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

  /** What it asks in its answer, as it may be read. What is found in it is a remark of ours, so remarks of others are out already. */
  screen(reply: ServerReply): ServerReply | Promise<ServerReply> {
    const isAsking = reply.kind === 'answer' && isInputRequired(reply.message.result)
    return isAsking ? screenQuestions(reply, this.screening) : reply
  }

  /** A request that stays open and takes no slot, such as a subscription. */
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

  #meet(caller: string): void {
    if (caller === OURS) return
    this.#isShared = this.#firstCaller !== undefined
    this.#firstCaller ??= caller
  }
}

interface Noted {
  readonly request: ServerRequest
  readonly attempt: Attempt
  readonly answersBefore: number
}

function callerOf({ behind }: ServerRequest): string {
  return behind?.caller?.principal.id ?? OURS
}
