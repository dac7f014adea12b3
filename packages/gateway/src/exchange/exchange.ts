import type { Id, Json, Notification, RpcError } from '../protocol/messages.ts'
import type { Envelope } from '../protocol/modern.ts'
import type { Principal } from '../scope/scope.ts'
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
  /** The server answers with a stream, or closed it for now; a door may want to do the same. */
  onStream?(event: StreamEvent): void
  /** Called at most once, when the caller no longer wants an answer. At once if that is so already. */
  onCancel(listener: (reason?: string) => void): void
}
