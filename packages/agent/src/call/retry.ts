import type { RetryOptions } from '../agent-options.ts'
import { AgentError } from '../errors.ts'
import { classifyFailure, type Failure } from './classify-failure.ts'

export interface Retrying<T> {
  readonly retry: RetryOptions
  readonly timeoutMs: number
  readonly signal: AbortSignal | undefined
  /**
   * Called after each transport failure. `neverArrived` is true if the server certainly received none of the attempts.
   */
  readonly mayRepeat: (neverArrived: boolean) => boolean
  /** Makes one attempt, which must end within `timeoutMs`. */
  readonly send: (timeoutMs: number, attempt: number) => Promise<T>
  /** Called after each transport failure, before the next attempt is made. */
  readonly recover: () => Promise<void>
  /** Returns a random number from 0 to 1. */
  readonly random: () => number
}

export interface Sent<T> {
  readonly result: T
  readonly attempts: number
}

/**
 * Sends a call, and repeats it after a transport failure if `mayRepeat` returns true. All attempts share one deadline.
 * If any attempt may have been executed, the error says so.
 */
export async function sendWithRetries<T>(retrying: Retrying<T>): Promise<Sent<T>> {
  const { retry, timeoutMs, signal, send, recover } = retrying
  const deadline = performance.now() + timeoutMs
  let mayHaveRun = false
  for (let attempt = 1; ; attempt++) {
    try {
      return { result: await send(Math.max(1, deadline - performance.now()), attempt), attempts: attempt }
    } catch (error) {
      const failure = classifyFailure(error, signal)
      mayHaveRun ||= failure.mayHaveRun
      const pause = pauseAfter(attempt, retrying)
      const isLast = attempt >= retry.attempts || performance.now() + pause >= deadline
      if (failure.isTransport) await recover()
      if (isLast || !failure.isTransport || !retrying.mayRepeat(!mayHaveRun))
        throw toError(failure, { attempts: attempt, mayHaveRun })
      await sleep(pause, signal)
      if (signal?.aborted === true)
        throw toError(classifyFailure(signal.reason, signal), { attempts: attempt, mayHaveRun })
    }
  }
}

/**
 * Returns a random pause, at most the full delay, so callers that failed at the same time do not all retry at the same
 * time.
 */
function pauseAfter(attempt: number, { retry, random }: Pick<Retrying<unknown>, 'retry' | 'random'>): number {
  return random() * Math.min(retry.maxDelayMs, retry.delayMs * 2 ** (attempt - 1))
}

function toError(failure: Failure, facts: { attempts: number; mayHaveRun: boolean }): AgentError {
  const { cause, code, message } = failure
  const known = cause instanceof AgentError ? cause.facts : {}
  const tried = facts.attempts > 1 ? ` (${facts.attempts} attempts)` : ''
  return new AgentError(code, `${message}${tried}`, { ...known, ...facts, cause })
}

/** Waits. When the call is cancelled, the wait ends early and without an error. */
function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise(resolve => {
    if (signal?.aborted === true) return resolve()
    const end = (): void => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal?.addEventListener('abort', end)
  })
}
