import type { RetryRules } from '../config/build-notify.ts'
import { DeliveryError } from './message/channel.ts'

/** One message to one channel. It is sent until it is accepted or has failed for good. */
export interface Job {
  /** After this time no attempt is made, because the approval will have ended. */
  readonly until: number
  /** Makes one attempt. Returns false if the message is no longer needed. */
  send(attempt: number): Promise<boolean>
  /** Called after a failed attempt, with the time of the next one. */
  onWait(at: number): Promise<void>
  onEnd(end: JobEnd): Promise<void>
  /** Called if the queue was closed before the job ended. */
  onRelease(): Promise<void>
}

export type JobEnd =
  | { readonly state: 'sent' | 'over'; readonly attempts: number }
  | { readonly state: 'failed'; readonly attempts: number; readonly error: string }

interface QueueDeps {
  readonly retry: RetryRules
  readonly now: () => number
  /** Returns a random number from 0 to 1. */
  readonly random: () => number
  readonly onError: (error: unknown) => void
  readonly onRetry: () => void
}

export const MOST_WAITING = 1000
const MOST_AT_ONCE = 4

/**
 * Sends the messages of one channel in the background. The queue has a maximum length, and callers never wait for it.
 */
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

  /** Adds a job. Returns false if the queue is full or closed. */
  add(job: Job): boolean {
    if (this.#isClosed || this.size >= MOST_WAITING) return false
    this.#ready.push({ job, attempt: 1 })
    this.#next()
    return true
  }

  /**
   * Closes the queue and releases its jobs, so that another queue or replica can send them. A job that is being sent is
   * released only if the process is stopping; otherwise it would be sent twice.
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
    // The message must not be lost if the store fails.
    await job.onWait(now() + delay).catch(onError)
    if (this.#isClosed) return job.onRelease()
    const timer = setTimeout(() => {
      this.#resting.delete(timer)
      this.#ready.push({ job, attempt: attempt + 1 })
      this.#next()
    }, delay).unref()
    this.#resting.set(timer, job)
  }

  /**
   * Returns the time to wait before the next attempt. It doubles each time and has a random part, so that the messages
   * that failed in an outage are not all repeated at the same moment.
   */
  #delayBefore(attempt: number, { retryAfterMs = 0 }: DeliveryError): number {
    const { retry, random } = this.#deps
    const usual = Math.min(retry.maxDelayMs, retry.delayMs * 2 ** (attempt - 1))
    return Math.ceil(Math.max(usual * (0.5 + random() / 2), Math.min(retryAfterMs, retry.maxDelayMs)))
  }
}

function toDeliveryError(error: unknown): DeliveryError {
  return error instanceof DeliveryError ? error : new DeliveryError('internal error; see the log')
}
