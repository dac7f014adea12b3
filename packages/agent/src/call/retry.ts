import type { RetryOptions } from '../agent-options.ts'
import { AgentError } from '../errors.ts'
import { classifyFailure, type Failure } from './classify-failure.ts'

export interface Retrying<T> {
  readonly retry: RetryOptions
  readonly timeoutMs: number
  readonly signal: AbortSignal | undefined
  /** Asked after every failure of the way. `neverArrived`: the server has certainly not seen any of the attempts. */
  readonly mayRepeat: (neverArrived: boolean) => boolean
  /** One attempt, with the time that is left. */
  readonly send: (timeoutMs: number, attempt: number) => Promise<T>
  /** Between attempts; the way is at fault. */
  readonly recover: () => Promise<void>
  /** From 0 to 1. */
  readonly random: () => number
}

export interface Sent<T> {
  readonly result: T
  readonly attempts: number
}

/**
 * Sends again what got lost on the way, if it never arrived or repeating it does nothing more. All attempts have one deadline. What is thrown
 * says that the call may have been executed if it may have been in any of them.
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

/** Full jitter: those who failed together do not come back together. */
function pauseAfter(attempt: number, { retry, random }: Pick<Retrying<unknown>, 'retry' | 'random'>): number {
  return random() * Math.min(retry.maxDelayMs, retry.delayMs * 2 ** (attempt - 1))
}

function toError(failure: Failure, facts: { attempts: number; mayHaveRun: boolean }): AgentError {
  const { cause, code, message } = failure
  const known = cause instanceof AgentError ? cause.facts : {}
  const tried = facts.attempts > 1 ? ` (${facts.attempts} attempts)` : ''
  return new AgentError(code, `${message}${tried}`, { ...known, ...facts, cause })
}

/** Ends early, without a word, when it is called off. */
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
