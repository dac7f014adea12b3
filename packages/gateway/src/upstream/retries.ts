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

interface RetriesDeps {
  readonly request: ServerRequest
  readonly attempt: Attempt
  readonly queue: FairQueue
  readonly policy: ServerConfig['retry']
  /** Takes one retry from the server's budget. Returns false if none is left. */
  readonly withdraw: () => boolean
  readonly isStopped: () => boolean
}

/**
 * The retry policy for one request. A lost request is sent again if it certainly never arrived, or if executing it
 * twice has no further effect. All attempts share one timeout and draw on the server's retry budget.
 */
export class Retries {
  /**
   * The reply to report if there is no further attempt. This is the last one, unless only an earlier attempt may have
   * been executed.
   */
  last: NoAnswer | undefined
  readonly #deps: RetriesDeps
  #pause: IBackoff<unknown> | undefined
  #attempts = 1
  #crashes = 0

  constructor(deps: RetriesDeps) {
    this.#deps = deps
  }

  /**
   * True if the caller has received progress. The next attempt then reports none, because progress must not go
   * backwards.
   */
  get isProgressShown(): boolean {
    return this.last?.kind === 'failure' && this.last.delivered === 'progress'
  }

  worstWith(reply: NoAnswer): NoAnswer {
    const { last } = this
    return last !== undefined && mayHaveRun(last) && !mayHaveRun(reply) ? last : reply
  }

  /**
   * Waits until the request can be sent again. Resolves to false if it must not be sent again, in which case `last` is
   * the final reply.
   */
  async allow(reply: NoAnswer): Promise<boolean> {
    const { attempt, policy, queue, request, withdraw } = this.#deps
    this.last = this.worstWith(reply)
    if (isObjection(reply) && this.#attempts > 1) request.onAttempt?.(this.#attempts - 1) // The last attempt was not sent.
    if (reply.kind === 'failure' && reply.failure.isEnd) this.#crashes += 1
    // A call that crashed the server twice is not retried.
    const isOver = this.#attempts >= policy.attempts || this.#crashes >= 2 || isObjection(reply)
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
    const { request, isStopped } = this.#deps
    const { mayRepeat, params } = request
    if (reply.kind !== 'failure' || !isTransport(reply.failure) || isStopped()) return false
    // A person's answer is valid only for the attempt in which the question was asked.
    const isAnswered = reply.delivered === 'question' || params?.inputResponses !== undefined
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
