import type { Attempt, ServerReply, ServerRequest } from './attempt.ts'

const NOT_BACK = {
  kind: 'failure',
  failure: {
    kind: 'unavailable',
    detail: 'there was not enough time for a new connection or another attempt',
    notSent: true,
    isLasting: true,
  },
} as const satisfies ServerReply

const CANCELLED = { kind: 'cancelled' } as const

/**
 * Waits for work that must be done before a request is sent, but not beyond the request's deadline or its cancellation.
 * After sending, the connection watches both.
 */
export async function withinTime<Result>(
  attempt: Attempt,
  work: Promise<Result>,
): Promise<Result | typeof NOT_BACK | typeof CANCELLED> {
  let timer: NodeJS.Timeout | undefined
  const ending = new Promise<typeof NOT_BACK | typeof CANCELLED>(resolve => {
    attempt.onCancel = () => {
      if (!attempt.isSent) resolve(CANCELLED)
    }
    if (attempt.isCancelled) attempt.onCancel()
    const late = (): void => {
      if (attempt.isSent) return
      resolve(NOT_BACK)
      attempt.cancel()
    }
    const left = attempt.endsAt - performance.now()
    if (Number.isFinite(left)) timer = setTimeout(late, left).unref()
  })
  try {
    return await Promise.race([work, ending])
  } finally {
    clearTimeout(timer)
    attempt.onCancel = undefined
  }
}

/**
 * Shortens a request's timeout by the time that it waited in the queue. At least half of the timeout is left for the
 * server.
 */
export function afterWaiting(request: ServerRequest, { endsAt }: Attempt): ServerRequest {
  const { timeoutMs } = request
  if (timeoutMs === 0) return request
  return { ...request, timeoutMs: Math.max(endsAt - performance.now(), timeoutMs / 2) }
}

export function withTimeLeft(request: ServerRequest, { endsAt }: Attempt): ServerRequest {
  return request.timeoutMs === 0
    ? request
    : { ...request, timeoutMs: Math.max(endsAt - performance.now(), 1) }
}
