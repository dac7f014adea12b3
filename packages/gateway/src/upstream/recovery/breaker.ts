import type { CountBreaker, IBackoff } from 'cockatiel'
import type { Failure } from '../channel/channel.ts'
import { loadCockatiel } from './load-cockatiel.ts'

interface BreakerDeps {
  /** Asks the server something that changes nothing: whether it answers. */
  probe(): Promise<boolean>
  onOpen(failure: Failure): void
  onClosed(): void
}

/** Anything but an answer. */
type Lost =
  | { readonly kind: 'failure'; readonly failure: Failure }
  | { readonly kind: 'timeout' | 'cancelled' | 'overloaded' }

/** Of this many requests, if there were at least so many, more than half have to fail. */
const WINDOW = 20
const AT_LEAST = 5
const PAUSES = { initialDelay: 1000, maxDelay: 30_000 }
/** From cockatiel's `CircuitState`, which is not loaded where this is needed. */
const CLOSED = 0

/**
 * Stops calls to a server that does not answer, and finds out by itself when it does again. Callers never are the ones
 * to find out: a call might be a write, and nobody should wait for a server that is probably still away. That, and that
 * a healthy server must cost nothing, is why cockatiel's policies are not used, only what they count and wait with.
 */
export class Breaker {
  readonly #deps: BreakerDeps
  /** Absent as long as all is well, and then no success need be reported. */
  count: CountBreaker | undefined
  /** Set while the breaker is open. */
  opened: { readonly failure: Failure; retryAt: number } | undefined
  #successes = 0
  #counted: Failure | undefined
  #pause: IBackoff<unknown> | undefined
  /** Whose requests failed since it was well. */
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
    // It is well again, and what was before no longer counts.
    this.count = undefined
    this.#culprits.clear()
    this.#pause = undefined
  }

  /** Only what says something of the server as a whole counts: a tool that fails, or takes too long, does not. */
  note(reply: Lost, { culprit, wasSilent }: { culprit: string | undefined; wasSilent: boolean }): void {
    if (reply.kind === 'failure' && reply.failure.kind === 'unavailable') this.fail(reply.failure, culprit)
    if (reply.kind === 'timeout' && wasSilent) this.fail(silence(), culprit)
  }

  /**
   * Calls that were lost together bring the same failure: it is one, however many they were. `culprit` is whose request was
   * lost, where others use the server, too: one caller's requests may be such that any server hangs up on them, and others'
   * calls do not stop for that.
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
    else if (!this.#isAsking) void this.#askFirst(failure)
  }

  /** What a call is told while the breaker is open. */
  refuse(): Failure {
    const { failure, retryAt } = this.opened ?? { failure: { detail: 'it failed' }, retryAt: 0 }
    return {
      kind: 'unavailable',
      detail: `it failed again and again, and is left alone for a while; the last time: ${failure.detail}`,
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

  async #askFirst(failure: Failure): Promise<void> {
    this.#isAsking = true
    const isWell = await this.#deps.probe().catch(() => false)
    this.#isAsking = false
    if (this.#isStopped || this.isOpen) return
    if (isWell) this.#startOver()
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
    const isWell = await this.#deps.probe().catch(() => false)
    if (this.opened !== opened) return
    if (!isWell) return this.#wait(opened)
    this.opened = undefined
    this.#startOver()
    this.#deps.onClosed()
  }
}

/** A new one each time: every call without an answer counts. */
function silence(): Failure {
  return { kind: 'unavailable', detail: 'it did not answer in time', notSent: false }
}

function createCount(): CountBreaker {
  const { CountBreaker } = loadCockatiel()
  return new CountBreaker({ threshold: 0.5, size: WINDOW, minimumNumberOfCalls: AT_LEAST })
}

/** Gateways that lost the same server do not come back to it at the same moment. */
function createPauses(): IBackoff<unknown> {
  const { ExponentialBackoff, halfJitterGenerator } = loadCockatiel()
  return new ExponentialBackoff({ generator: halfJitterGenerator, ...PAUSES }).next()
}
