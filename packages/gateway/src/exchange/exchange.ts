import { META_SESSION } from '@hintgate/metadata'
import { createName } from '../base/create-name.ts'
import { maskSecrets } from '../detect/secrets/mask-secrets.ts'
import { type Id, isJsonObject, type Json, type Notification, type RpcError } from '../protocol/messages.ts'
import type { Envelope } from '../protocol/modern.ts'
import { ownerName, type Principal } from '../scope/scope.ts'
import type { Era } from '../store/store.ts'
import type { StreamEvent } from '../upstream/channel/channel.ts'
import type { Ask, AskAnswer } from '../upstream/connection/upstream-request.ts'

/** The caller of a request, and what its client supports. */
export interface Caller {
  readonly principal: Principal
  readonly era: Era
  /** The session's name: as the caller names it, else the legacy session, else the token. */
  readonly session: string
  /** The legacy session, if the caller names another session in it. */
  readonly connection?: string
  readonly envelope: Envelope
}

/**
 * The result of a question. `ending`: the call cannot continue without an answer, and this error goes to its caller,
 * not to the server.
 */
export type QuestionResult = AskAnswer | { readonly error: RpcError; readonly ending: RpcError }

/** One request with the way back to its client. */
export interface Exchange {
  /** The id of the request, from its first byte to its audit row. */
  readonly requestId: string
  readonly caller: Caller
  readonly id: Id
  readonly method: string
  readonly params: Json | undefined
  /** One of several calls in one request: a client could not tell which one a question belongs to. */
  readonly isPart?: boolean
  /** Progress and logs of this request. */
  notify(notification: Notification): void
  /** A question of the server to the person or model behind the client. */
  ask(ask: Ask): Promise<QuestionResult>
  /** The server's answer is a stream, or that stream closed for now; a transport may do the same. */
  onStream?(event: StreamEvent): void
  /** The listener runs at most once, when the caller no longer wants an answer; at once if that is so already. */
  onCancel(listener: (reason?: string) => void): void
}

const PROCESS = createName(6)

let counter = 0

/** Unique over processes and time: a random name of this process, and a number. */
export function nextRequestId(): string {
  counter += 1
  return `${PROCESS}-${counter.toString(36)}`
}

const MAX_LENGTH = 128

/** Control characters are never intended, and some stores and terminals cannot handle them. */
// oxlint-disable-next-line no-control-regex -- the pattern matches control characters
const CONTROL = /[\u0000-\u001f\u007f]/

/**
 * The session's name: as the caller names it, else the legacy session, else the credential. A caller cannot name
 * another's session, because the part up to the first slash identifies the caller. Names are stored and shown, so
 * secrets in them are masked; names that differ only in a secret are one session.
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
