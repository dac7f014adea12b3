import { META_SESSION } from '@hintgate/metadata'
import { createName } from '../base/create-name.ts'
import { maskSecrets } from '../detect/secrets/mask-secrets.ts'
import { type Id, isJsonObject, type Json, type Notification, type RpcError } from '../protocol/messages.ts'
import type { Envelope } from '../protocol/modern.ts'
import { ownerName, type Principal } from '../scope/scope.ts'
import type { Era } from '../store/store.ts'
import type { StreamEvent } from '../upstream/channel/channel.ts'
import type { Ask, AskAnswer } from '../upstream/connection/upstream-request.ts'
import type { CallerCredentials } from './caller-credentials.ts'

/** The caller of a request, and what its client supports. */
export interface Caller {
  readonly principal: Principal
  readonly era: Era
  /** The session's name: the name that the caller chose, otherwise the legacy session's id, otherwise the token's. */
  readonly session: string
  /** The legacy session's id, set only if the caller chose a different session name. */
  readonly connection?: string
  readonly envelope: Envelope
  /** Set if the request has credentials for the APIs behind the gateway. */
  readonly credentials?: CallerCredentials | undefined
}

/**
 * The result of a question to a client. If `ending` is set, the call cannot continue without an answer: the caller gets
 * `ending`, and the server gets no answer.
 */
export type QuestionResult = AskAnswer | { readonly error: RpcError; readonly ending: RpcError }

/** A request and the way back to the client that sent it. */
export interface Exchange {
  /** The id that identifies the request everywhere, from its arrival to its audit row. */
  readonly requestId: string
  readonly caller: Caller
  readonly id: Id
  readonly method: string
  readonly params: Json | undefined
  /**
   * True if this call is one of several in a request. Such a call asks no questions, because a client could not tell
   * which call asked.
   */
  readonly isPart?: boolean
  /** The toolset at whose endpoint the request came in. Calls to tools have it in their call instead. */
  readonly set?: string | undefined
  /** Sends progress or a log line of this request to its client. */
  notify(notification: Notification): void
  /** Passes a server's question to the person or model behind the client. */
  ask(ask: Ask): Promise<QuestionResult>
  /**
   * Called when the server opens or pauses a stream for its answer, so that a transport can do the same for its client.
   */
  onStream?(event: StreamEvent): void
  /** Calls the listener once when the request is cancelled, or immediately if that has already happened. */
  onCancel(listener: (reason?: string) => void): void
}

const PROCESS = createName(6)

let counter = 0

/**
 * Returns a new request id: this process's random name and a counter. No other process and no earlier run uses the same
 * id.
 */
export function nextRequestId(): string {
  counter += 1
  return `${PROCESS}-${counter.toString(36)}`
}

const MAX_LENGTH = 128

/** Names with control characters are not accepted, because some stores and terminals cannot handle them. */
// oxlint-disable-next-line no-control-regex -- the pattern matches control characters
const CONTROL = /[\u0000-\u001f\u007f]/

/**
 * Returns the session's name: the name that the caller chose, otherwise the legacy session's id, otherwise the
 * credential's. A caller cannot name another caller's session, because the part up to the first slash identifies the
 * caller. Names are stored and shown, so secrets in them are masked. Two names that differ only in a secret therefore
 * mean the same session.
 */
export function sessionOf(
  params: Json | undefined,
  principal: Principal,
  unnamed: string = ownerName(principal.id),
): string {
  const meta = params?._meta
  const named = isJsonObject(meta) ? meta[META_SESSION] : undefined
  const isNamed =
    typeof named === 'string' && named !== '' && named.length <= MAX_LENGTH && !CONTROL.test(named)
  return isNamed ? `${ownerName(principal.id)}/${maskSecrets(named)}` : unnamed
}
