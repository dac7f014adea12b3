import { META_SESSION } from '@hintgate/metadata'
import { createName } from '../base/create-name.ts'
import { maskSecrets } from '../detect/secrets/mask-secrets.ts'
import { type Id, isJsonObject, type Json, type Notification, type RpcError } from '../protocol/messages.ts'
import type { Envelope } from '../protocol/modern.ts'
import { ownerName, type Principal } from '../scope/scope.ts'
import type { Era } from '../store/store.ts'
import type { StreamEvent } from '../upstream/channel/channel.ts'
import type { Ask, AskAnswer } from '../upstream/connection/upstream-request.ts'

/** Who is behind a request, and what their client can do. */
export interface Caller {
  readonly principal: Principal
  readonly era: Era
  /** The client's session: what the caller names, else the legacy session, else the token. */
  readonly session: string
  /** The legacy session, where the caller names another one in it. */
  readonly connection?: string
  readonly envelope: Envelope
}

/**
 * What comes of a question. `ending`: the call cannot go on without an answer, and this is what its caller is told. It is
 * for whoever forwarded the call, and not for the server.
 */
export type Asked = AskAnswer | { readonly error: RpcError; readonly ending: RpcError }

/** One request on its way through, with the way back to whoever made it. */
export interface Exchange {
  /** One id from the first byte to the audit row. */
  readonly requestId: string
  readonly caller: Caller
  readonly id: Id
  readonly method: string
  readonly params: Json | undefined
  /** One call among several that came in as one request: a question in the middle of it would be nobody's. */
  readonly isPart?: boolean
  /** Progress and logs of this request. */
  notify(notification: Notification): void
  /** A question of the server to the person or model behind the client. */
  ask(ask: Ask): Promise<Asked>
  /** The server answers with a stream, or closed it for now; a transport may want to do the same. */
  onStream?(event: StreamEvent): void
  /** Called at most once, when the caller no longer wants an answer. At once if that is so already. */
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

/** Nobody writes them; they would be shown to people, and some places cannot keep them. */
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const CONTROL = /[\u0000-\u001f\u007f]/

/**
 * A session is what the caller names, else the legacy session, else the caller's credential itself. Nobody can name
 * another's: the first slash ends who it is. Names are stored and shown, so a secret in one is masked; names that differ in nothing else are one session.
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
