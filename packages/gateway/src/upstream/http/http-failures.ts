import { NotConnected } from '../../http/client/connect-to.ts'
import type { Failure } from '../channel/channel.ts'
import type { PostFailure } from './http-post.ts'

export function statusFailure(status: number, body: string): Failure {
  const kind = status === 401 || status === 403 ? 'unauthorized' : status >= 500 ? 'unavailable' : 'protocol'
  // After 502, 503 and 504 the request may have been executed: a proxy also sends them when it loses the server during
  // a request.
  const notSent = status === 401 || status === 403
  return { kind, detail: `the server answered with HTTP ${status}`, notSent, body }
}

export function networkFailure(error: unknown): Failure {
  const { code, message } = error as NodeJS.ErrnoException
  const detail = `the server cannot be reached: ${code ?? message}`
  return { kind: 'unavailable', detail, notSent: error instanceof NotConnected }
}

export function tooLarge(maxBytes: number): Failure {
  return { kind: 'too-large', detail: `the answer has more than ${maxBytes} bytes`, notSent: false }
}

const TOO_MUCH_AT_ONCE: Failure = {
  kind: 'too-large',
  detail: 'the server is sending too many long answers at the same time, and this one is the longest',
  notSent: false,
}

/** Returns the failure of a POST that got no answer. */
export function postFailure(result: PostFailure, maxBytes: number): Failure {
  if (result.kind === 'error') return networkFailure(result.error)
  return result.kind === 'too-large' ? tooLarge(maxBytes) : TOO_MUCH_AT_ONCE
}

/** The server did not recognise the session, so it executed nothing. */
export const SESSION_LOST: Failure = {
  kind: 'session-lost',
  detail: 'the server no longer knows the session',
  notSent: true,
  notExecuted: { kind: 'open-again' },
}

/** The server rejected the credentials, so it executed nothing. */
export function unauthorized(detail: string): Failure {
  return { kind: 'unauthorized', detail, notSent: true }
}

export const OTHER_ANSWER: Failure = {
  kind: 'protocol',
  detail: "the server's response does not contain the answer to the request",
  notSent: false,
}

export const STREAM_ENDED: Failure = {
  kind: 'unavailable',
  detail: 'the server closed the stream without an answer',
  notSent: false,
}

/** Maximum length of a JSON-RPC error. Real errors are shorter. */
const LONGEST_ERROR = 64 * 1024

export function isRpcError(text: string): boolean {
  if (text.length > LONGEST_ERROR) return false
  try {
    const value = JSON.parse(text) as { jsonrpc?: unknown; error?: { code?: unknown } } | null
    return value?.jsonrpc === '2.0' && typeof value.error?.code === 'number'
  } catch {
    return false
  }
}
