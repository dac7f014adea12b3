import type { IncomingHttpHeaders } from 'node:http'
import type { Json, Notification, RpcError } from '../protocol/messages.ts'
import type { Caller, Exchange } from './exchange.ts'

export type Answer =
  | { readonly result: Json }
  /** A result that is JSON already, as text or as bytes that many are answered with. */
  | { readonly written: string }
  | { readonly bytes: Buffer }
  | { readonly error: RpcError }
  | { readonly cancelled: true }

/** What a surface is, in the words of `initialize` and `server/discover`. */
export interface Description {
  readonly capabilities: Json
  readonly serverInfo: unknown
  readonly instructions?: string
}

/** What a client wants to hear of without asking again. */
export interface Interests {
  readonly toolsListChanged: boolean
  readonly promptsListChanged: boolean
  readonly resourcesListChanged: boolean
  readonly resources: readonly string[]
}

/** Resources that are watched for somebody, until they are no longer. */
export interface Following {
  readonly uris: readonly string[]
  stop(): void
}

export const FOLLOWING_NOTHING: Following = { uris: [], stop() {} }

/** What somebody wants of a server, without the way back to them. */
export type Wanted = Pick<Exchange, 'requestId' | 'caller' | 'method' | 'params'>

/** What a client finds behind a path. Doors bring bytes; a surface knows what the methods mean there. */
export interface Surface {
  describe(caller: Caller): Promise<Description | RpcError>
  handle(exchange: Exchange): Promise<Answer>
  /** A notification of the client that belongs to no request of its own. */
  hear(caller: Caller, notification: Notification): void
  /** Calls back with everything the caller should hear until it is told to stop. */
  watch(caller: Caller, onNotification: (notification: Notification) => void): () => void
  /** Why the resources that a request names may not be watched. To be asked before `follow`, which asks nothing. */
  admit(wanted: Wanted): Promise<RpcError | undefined>
  /** Makes sure that resources are watched upstream, as many as there is room for. */
  follow(caller: Caller, uris: readonly string[]): Following
  /** What is wrong with the headers that repeat arguments of a tool the caller may know of, if anything; a tool not known yet is the server's to check. */
  checkParamHeaders(
    caller: Caller,
    params: Json,
    request: { readonly headers: IncomingHttpHeaders },
  ): string | undefined
  /** A session of the caller ended. */
  release(caller: Caller): void
}
