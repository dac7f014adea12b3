import { AgentError } from '../errors.ts'

export function throwIfCancelled(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true)
    throw new AgentError('cancelled', 'The call was cancelled', { cause: signal.reason })
}

/** Waits for a person's answer, but no longer once the call is cancelled. */
export async function unlessCancelled<T>(
  promise: T | Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  if (signal === undefined) return promise
  let stop = (): void => {}
  const cancelled = new Promise<never>((_resolve, reject) => {
    stop = () => reject(new AgentError('cancelled', 'The call was cancelled before a person answered'))
    signal.addEventListener('abort', stop, { once: true })
  })
  try {
    return await Promise.race([promise, cancelled])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
