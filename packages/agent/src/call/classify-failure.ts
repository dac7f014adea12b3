import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client'
import { AgentError, type AgentErrorCode } from '../errors.ts'
import { isJsonObject } from '../json.ts'

/** The reason why an attempt got no answer. */
export interface Failure {
  readonly code: AgentErrorCode
  readonly message: string
  /** True if the transport failed rather than the call itself, in which case another attempt can succeed. */
  readonly isTransport: boolean
  /** True if the server may have executed the call. */
  readonly mayHaveRun: boolean
  readonly cause: unknown
}

type Kind = Pick<Failure, 'code' | 'isTransport' | 'mayHaveRun'>

const LOST: Kind = { code: 'upstream_unavailable', isTransport: true, mayHaveRun: true }
const UNSENT: Kind = { code: 'upstream_unavailable', isTransport: true, mayHaveRun: false }
const TIMEOUT: Kind = { code: 'upstream_timeout', isTransport: false, mayHaveRun: true }
const PROTOCOL: Kind = { code: 'upstream_protocol', isTransport: false, mayHaveRun: true }
const RESULT: Kind = { code: 'invalid_result', isTransport: false, mayHaveRun: true }
const CANCELLED: Kind = { code: 'cancelled', isTransport: false, mayHaveRun: true }

/** Network errors that prove that the server received nothing. */
const NEVER_ARRIVED = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'])

/** HTTP statuses that a proxy sends when it cannot reach the server behind it. */
const PROXY = new Set([502, 503, 504])

export function classifyFailure(error: unknown, signal: AbortSignal | undefined): Failure {
  const message = error instanceof Error ? error.message : String(error)
  return { ...kindOf(error, signal), message, cause: error }
}

function kindOf(error: unknown, signal: AbortSignal | undefined): Kind {
  if (signal?.aborted === true) return CANCELLED
  if (error instanceof AgentError) {
    // Nothing was sent, because there was no connection.
    return { code: error.code, isTransport: error.code === 'connect_failed', mayHaveRun: error.mayHaveRun }
  }
  if (error instanceof SdkHttpError) return kindOfStatus(error.status)
  if (error instanceof SdkError) return kindOfSdk(error.code)
  // The server's own errors are AgentErrors by now, so this error is the SDK's: the result does not match its schema.
  if (error instanceof ProtocolError) return RESULT
  return kindOfOther(error)
}

function kindOfSdk(code: SdkErrorCode): Kind {
  if (code === SdkErrorCode.RequestTimeout) return TIMEOUT
  if (code === SdkErrorCode.NotConnected) return UNSENT
  if (code === SdkErrorCode.ConnectionClosed || code === SdkErrorCode.SendFailed) return LOST
  return PROTOCOL
}

function kindOfStatus(status: number): Kind {
  if (status === 401 || status === 403) return { ...UNSENT, isTransport: false }
  if (status === 429) return { code: 'rate_limited', isTransport: false, mayHaveRun: false }
  // The session has ended. A new connection starts a new session.
  if (status === 404) return UNSENT
  if (PROXY.has(status)) return LOST
  return { ...PROTOCOL, mayHaveRun: status >= 500 }
}

function kindOfOther(error: unknown): Kind {
  if (!(error instanceof Error)) return LOST
  if (error.message === 'Not connected') return UNSENT
  const cause: unknown = error.cause
  const code = isJsonObject(cause) ? cause.code : undefined
  return typeof code === 'string' && NEVER_ARRIVED.has(code) ? UNSENT : LOST
}
