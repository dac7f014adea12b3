import type { IBackoff } from 'cockatiel'
import type { FairQueue } from '../admission/fair-queue.ts'
import type { ServerConfig } from '../config/config.ts'
import { isJsonObject } from '../protocol/messages.ts'
import type { Attempt, ServerReply, ServerRequest } from './attempt.ts'
import type { Failure } from './channel/channel.ts'
import type { UpstreamRequest } from './connection/upstream-request.ts'
import { loadCockatiel } from './recovery/load-cockatiel.ts'
import { withinTime } from './within-time.ts'

export type NoAnswer = Exclude<ServerReply, { kind: 'answer' }>

interface RetryMeans {
  readonly request: ServerRequest
  readonly attempt: Attempt
  readonly queue: FairQueue
  readonly policy: ServerConfig['retry']
  /** Takes one repetition from the server's budget, if there is one left. */
  readonly withdraw: () => boolean
  readonly isStopped: () => boolean
}

/**
 * The retry policy for one request that got lost: it is sent again if it certainly never arrived, or if repeating it does
 * nothing more. All attempts together have the time that one has, and the server's budget is not exceeded.
 */
export class Retries {
  /** Of all replies so far the one to go by: the last, unless only an earlier request may have been executed. */
  last: NoAnswer | undefined
  readonly #means: RetryMeans
  #pause: IBackoff<unknown> | undefined
  #attempts = 1
  #ends = 0

  constructor(means: RetryMeans) {
    this.#means = means
  }

  /** Progress must not go back, so a call that has shown some goes on without. */
  get isProgressShown(): boolean {
    return this.last?.kind === 'failure' && this.last.heard === 'progress'
  }

  worstWith(reply: NoAnswer): NoAnswer {
    const { last } = this
    return last !== undefined && mayHaveRun(last) && !mayHaveRun(reply) ? last : reply
  }

  /** Waits for the moment to send the request again. False: it is not sent again, and `last` is how it ends. */
  async allow(reply: NoAnswer): Promise<boolean> {
    const { attempt, policy, queue, request, withdraw } = this.#means
    this.last = this.worstWith(reply)
    if (isObjection(reply) && this.#attempts > 1) request.onAttempt?.(this.#attempts - 1) // it was not sent
    if (reply.kind === 'failure' && reply.failure.isEnd) this.#ends += 1
    // A request under which the server ended twice is what ends it.
    const isOver = this.#attempts >= policy.attempts || this.#ends >= 2 || isObjection(reply)
    if (isOver || !this.#isRepeatable(this.last)) return false
    this.#pause = this.#pause?.next(undefined) ?? startPauses(policy)
    const { duration } = this.#pause
    if (attempt.endsAt - performance.now() <= duration || !withdraw()) return false
    queue.pause(attempt)
    attempt.startOver()
    await withinTime(attempt, new Promise(resolve => setTimeout(resolve, duration)))
    if (attempt.isCancelled) return true
    this.#attempts += 1
    request.onAttempt?.(this.#attempts)
    return true
  }

  #isRepeatable(reply: NoAnswer): boolean {
    const { request, isStopped } = this.#means
    const { mayRepeat, params } = request
    if (reply.kind !== 'failure' || !isTransport(reply.failure) || isStopped()) return false
    // What a person answered was for this attempt, and for no other.
    const isAnswered = reply.heard === 'question' || params?.inputResponses !== undefined
    return reply.failure.notSent || (mayRepeat === true && !isAnswered && params?.requestState === undefined)
  }
}

function startPauses({ delayMs, maxDelayMs }: ServerConfig['retry']): IBackoff<unknown> {
  const { ExponentialBackoff, fullJitterGenerator } = loadCockatiel()
  const pauses = { generator: fullJitterGenerator, initialDelay: delayMs, maxDelay: maxDelayMs }
  return new ExponentialBackoff(pauses).next()
}

function isTransport({ kind, isLasting }: Failure): boolean {
  return (kind === 'unavailable' || kind === 'session-lost') && isLasting !== true
}

function isObjection(reply: NoAnswer): boolean {
  return reply.kind === 'failure' && reply.failure.kind === 'quarantined'
}

function mayHaveRun(reply: NoAnswer): boolean {
  return reply.kind === 'timeout' || (reply.kind === 'failure' && !reply.failure.notSent)
}

export function withoutToken<Request extends UpstreamRequest>(request: Request): Request {
  const { params } = request
  if (!isJsonObject(params?._meta)) return request
  const { progressToken: _token, ...rest } = params._meta
  return { ...request, params: { ...params, _meta: rest } }
}
