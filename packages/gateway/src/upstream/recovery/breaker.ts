import type { CountBreaker, IBackoff } from 'cockatiel'
import type { Failure } from '../channel/channel.ts'
import { loadCockatiel } from './load-cockatiel.ts'

interface BreakerDeps {
  /** Sends the server a request without effects. Resolves to true if the server answers. */
  probe(): Promise<boolean>
  onOpen(failure: Failure): void
  onClosed(): void
}

/** Any reply except an answer. */
type Lost =
  | { readonly kind: 'failure'; readonly failure: Failure }
  | { readonly kind: 'timeout' | 'cancelled' | 'overloaded' }

/** The breaker opens when more than half of the last 20 requests failed, and there were at least 5. */
const WINDOW = 20
const AT_LEAST = 5
const PAUSES = { initialDelay: 1000, maxDelay: 30_000 }
/** The value of cockatiel's `CircuitState.Closed`, so that this file need not load cockatiel. */
const CLOSED = 0

/**
 * Stops calls to a server that does not answer, and probes whether it is back. Callers' requests never serve as probes:
 * they might be writes, and callers should not wait for a server that is probably still down. For that reason, and
 * because a healthy server must cost nothing, the gateway uses only cockatiel's counter and backoff, not its policies.
 */
export class Breaker {
  readonly #deps: BreakerDeps
  /** Absent while the server is healthy; successes then need not be reported. */
  count: CountBreaker | undefined
  /** Set while the breaker is open. */
  opened: { readonly failure: Failure; retryAt: number } | undefined
  #successes = 0
  #counted: Failure | undefined
  #pause: IBackoff<unknown> | undefined
  /** The callers of the requests that failed since the server was last healthy. */
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
    // The server is healthy again, so earlier failures no longer count.
    this.count = undefined
    this.#culprits.clear()
    this.#pause = undefined
  }

  /** Only failures of the server as a whole count, not a tool that fails or takes too long. */
  note(reply: Lost, { culprit, wasSilent }: { culprit: string | undefined; wasSilent: boolean }): void {
    if (reply.kind === 'failure' && reply.failure.kind === 'unavailable') this.fail(reply.failure, culprit)
    if (reply.kind === 'timeout' && wasSilent) this.fail(silence(), culprit)
  }

  /**
   * Counts a failure. Calls that are lost together report the same failure, which counts once. `culprit` is the caller
   * of the lost request, if others use the server as well: one caller's requests may make a server close the
   * connection, and that must not stop other callers' calls.
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

  /** The failure for a call while the breaker is open. */
  refuse(): Failure {
    const { failure, retryAt } = this.opened ?? { failure: { detail: 'unknown' }, retryAt: 0 }
    return {
      kind: 'unavailable',
      detail: `its circuit breaker is open after repeated failures; the last failure: ${failure.detail}`,
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

/** The failure for a call without an answer. It is a new object each time, because each such call counts. */
function silence(): Failure {
  return { kind: 'unavailable', detail: 'the server did not answer in time', notSent: false }
}

function createCount(): CountBreaker {
  const { CountBreaker } = loadCockatiel()
  return new CountBreaker({ threshold: 0.5, size: WINDOW, minimumNumberOfCalls: AT_LEAST })
}

/**
 * The pauses between probes. They are random, so that replicas that lose a server together do not all return at the
 * same time.
 */
function createPauses(): IBackoff<unknown> {
  const { ExponentialBackoff, halfJitterGenerator } = loadCockatiel()
  return new ExponentialBackoff({ generator: halfJitterGenerator, ...PAUSES }).next()
}
