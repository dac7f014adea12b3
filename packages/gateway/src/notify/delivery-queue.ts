import type { RetryRules } from '../config/build-notify.ts'
import { DeliveryError } from './message/channel.ts'

/** One message to one channel, repeated until it is accepted or given up. */
export interface Job {
  /** A later attempt would tell of something that is over. */
  readonly until: number
  /** False: there is nothing to tell any more. */
  send(attempt: number): Promise<boolean>
  /** Another attempt follows at this moment. */
  onWait(at: number): Promise<void>
  onEnd(end: JobEnd): Promise<void>
  /** The queue was closed before the job ended. */
  onRelease(): Promise<void>
}

export type JobEnd =
  | { readonly state: 'sent' | 'over'; readonly attempts: number }
  | { readonly state: 'failed'; readonly attempts: number; readonly error: string }

interface QueueDeps {
  readonly retry: RetryRules
  readonly now: () => number
  /** From 0 to 1. */
  readonly random: () => number
  readonly onError: (error: unknown) => void
  readonly onRetry: () => void
}

export const MOST_WAITING = 1000
const MOST_AT_ONCE = 4

/** The messages of one channel. Bounded; callers never wait for it. */
export class DeliveryQueue {
  readonly #deps: QueueDeps
  readonly #ready: { readonly job: Job; readonly attempt: number }[] = []
  readonly #resting = new Map<NodeJS.Timeout, Job>()
  readonly #running = new Set<Job>()
  #isClosed = false

  constructor(deps: QueueDeps) {
    this.#deps = deps
  }

  get size(): number {
    return this.#ready.length + this.#resting.size + this.#running.size
  }

  /** False if the queue is full. */
  add(job: Job): boolean {
    if (this.#isClosed || this.size >= MOST_WAITING) return false
    this.#ready.push({ job, attempt: 1 })
    this.#next()
    return true
  }

  /**
   * Others may send what is left. What is being sent right now is left alone, unless the process stops: it would be sent
   * twice.
   */
  async close({ isStopping }: { readonly isStopping: boolean }): Promise<void> {
    this.#isClosed = true
    for (const timer of this.#resting.keys()) clearTimeout(timer)
    const running = isStopping ? this.#running : []
    const left = [...this.#ready.map(({ job }) => job), ...this.#resting.values(), ...running]
    this.#ready.length = 0
    this.#resting.clear()
    await Promise.all(left.map(job => job.onRelease().catch(this.#deps.onError)))
  }

  #next(): void {
    while (!this.#isClosed && this.#running.size < MOST_AT_ONCE) {
      const first = this.#ready.shift()
      if (first === undefined) return
      this.#running.add(first.job)
      this.#run(first.job, first.attempt)
        .catch(this.#deps.onError)
        .finally(() => {
          this.#running.delete(first.job)
          this.#next()
        })
    }
  }

  async #run(job: Job, attempt: number): Promise<void> {
    try {
      const isSent = await job.send(attempt)
      await job.onEnd({ state: isSent ? 'sent' : 'over', attempts: attempt })
    } catch (error) {
      if (!(error instanceof DeliveryError)) this.#deps.onError(error)
      await this.#fail(job, attempt, toDeliveryError(error))
    }
  }

  async #fail(job: Job, attempt: number, error: DeliveryError): Promise<void> {
    const { retry, now, onError } = this.#deps
    const delay = this.#delayBefore(attempt, error)
    const isLast = error.isFinal || attempt >= retry.attempts || now() + delay >= job.until
    if (isLast) return job.onEnd({ state: 'failed', attempts: attempt, error: error.message })
    if (this.#isClosed) return job.onRelease()
    this.#deps.onRetry()
    // A failing store must not lose the message.
    await job.onWait(now() + delay).catch(onError)
    if (this.#isClosed) return job.onRelease()
    const timer = setTimeout(() => {
      this.#resting.delete(timer)
      this.#ready.push({ job, attempt: attempt + 1 })
      this.#next()
    }, delay).unref()
    this.#resting.set(timer, job)
  }

  /** Doubles, with a random part, so that the messages of an outage do not all come back at one moment. */
  #delayBefore(attempt: number, { retryAfterMs = 0 }: DeliveryError): number {
    const { retry, random } = this.#deps
    const usual = Math.min(retry.maxDelayMs, retry.delayMs * 2 ** (attempt - 1))
    return Math.ceil(Math.max(usual * (0.5 + random() / 2), Math.min(retryAfterMs, retry.maxDelayMs)))
  }
}

function toDeliveryError(error: unknown): DeliveryError {
  return error instanceof DeliveryError ? error : new DeliveryError('internal error; see the log')
}
