import type { CountBreaker, IBackoff } from 'cockatiel'
import type { Failure } from '../channel/channel.ts'
import { loadCockatiel } from './load-cockatiel.ts'

interface BreakerDeps {
  /** Sends the server a request that has no effect. Resolves to true if the server answers. */
  probe(): Promise<boolean>
  onOpen(failure: Failure): void
  onClosed(): void
}

/** Every kind of reply except an answer. */
type Lost =
  | { readonly kind: 'failure'; readonly failure: Failure }
  | { readonly kind: 'timeout' | 'cancelled' | 'overloaded' }

/** The breaker opens when more than half of the last 20 requests failed, provided that there were at least 5. */
const WINDOW = 20
const AT_LEAST = 5
const PAUSES = { initialDelay: 1000, maxDelay: 30_000 }
/** The value of cockatiel's `CircuitState.Closed`, copied so this file need not load cockatiel. */
const CLOSED = 0

/**
 * Stops calls to a server that does not answer, and probes whether it is back. Callers' requests are never used as
 * probes: they might be writes, and callers should not wait for a server that is probably still down. For that reason,
 * and because a healthy server must cost nothing, only cockatiel's counter and backoff are used, not its policies.
 */
export class Breaker {
  readonly #deps: BreakerDeps
  /** Undefined while the server is healthy, when successes need not be counted. */
  count: CountBreaker | undefined
  /** Set while the breaker is open. */
  opened: { readonly failure: Failure; retryAt: number } | undefined
  #successes = 0
  #counted: Failure | undefined
  #pause: IBackoff<unknown> | undefined
  /** The callers whose requests have failed since the server was last healthy. */
  readonly #culprits = new Set<string | undefined>()
  #isAsking = false
  #isStopped = false
  #timer: NodeJS.Timeout | undefined

  constructor(deps: BreakerDeps) {
    this.#deps = deps
  }

  get isOpen(): boolean {
    return this.opened !== undefined
  }

  succeed(): void {
    if (this.count === undefined) return
    this.#successes += 1
    if (this.#successes < WINDOW) return this.count.success(CLOSED)
    // The server is healthy again, so earlier failures are forgotten.
    this.count = undefined
    this.#culprits.clear()
    this.#pause = undefined
  }

  /**
   * Records a reply that was not an answer. Only failures of the server as a whole count, not a tool that fails or
   * takes too long.
   */
  note(reply: Lost, { culprit, wasSilent }: { culprit: string | undefined; wasSilent: boolean }): void {
    if (reply.kind === 'failure' && reply.failure.kind === 'unavailable') this.fail(reply.failure, culprit)
    if (reply.kind === 'timeout' && wasSilent) this.fail(silence(), culprit)
  }

  /**
   * Counts a failure. Calls that are lost together report the same failure, which counts once. `culprit` is the caller
   * of the lost request, if the server has other callers too: if one caller's requests make a server close the
   * connection, that must not stop the calls of others.
   */
  fail(failure: Failure, culprit?: string): void {
    if (this.isOpen || failure === this.#counted) return
    this.#counted = failure
    this.#successes = 0
    this.#culprits.add(culprit)
    this.count ??= createCount()
    if (!this.count.failure(CLOSED)) return
    const isOfOne = this.#culprits.size === 1 && culprit !== undefined
    if (!isOfOne) this.#open(failure)
    else if (!this.#isAsking) void this.#probeFirst(failure)
  }

  /** Returns the failure that a call gets while the breaker is open. */
  refuse(): Failure {
    const { failure, retryAt } = this.opened ?? { failure: { detail: 'unknown' }, retryAt: 0 }
    return {
      kind: 'unavailable',
      detail: `the circuit breaker of this server is open after repeated failures; the last failure: ${failure.detail}`,
      notSent: true,
      isLasting: true,
      retryInMs: Math.max(0, retryAt - Date.now()),
    }
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#isStopped = true
    this.opened = undefined
  }

  async #probeFirst(failure: Failure): Promise<void> {
    this.#isAsking = true
    const isHealthy = await this.#deps.probe().catch(() => false)
    this.#isAsking = false
    if (this.#isStopped || this.isOpen) return
    if (isHealthy) this.#startOver()
    else this.#open(failure)
  }

  #startOver(): void {
    this.count = createCount()
    this.#culprits.clear()
  }

  #open(failure: Failure): void {
    this.opened = { failure, retryAt: 0 }
    this.#wait(this.opened)
    this.#deps.onOpen(failure)
  }

  #wait(opened: { retryAt: number }): void {
    this.#pause = this.#pause === undefined ? createPauses() : this.#pause.next(undefined)
    opened.retryAt = Date.now() + this.#pause.duration
    this.#timer = setTimeout(() => void this.#try(opened), this.#pause.duration).unref()
  }

  async #try(opened: { retryAt: number }): Promise<void> {
    const isHealthy = await this.#deps.probe().catch(() => false)
    if (this.opened !== opened) return
    if (!isHealthy) return this.#wait(opened)
    this.opened = undefined
    this.#startOver()
    this.#deps.onClosed()
  }
}

/** Returns the failure of a call that got no answer. Each such call counts separately, so each gets a new object. */
function silence(): Failure {
  return { kind: 'unavailable', detail: 'the server did not answer in time', notSent: false }
}

function createCount(): CountBreaker {
  const { CountBreaker } = loadCockatiel()
  return new CountBreaker({ threshold: 0.5, size: WINDOW, minimumNumberOfCalls: AT_LEAST })
}

/**
 * The pauses between probes. They are random, because replicas that lose a server at the same time should not all
 * return at the same time.
 */
function createPauses(): IBackoff<unknown> {
  const { ExponentialBackoff, halfJitterGenerator } = loadCockatiel()
  return new ExponentialBackoff({ generator: halfJitterGenerator, ...PAUSES }).next()
}
