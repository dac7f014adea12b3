import type { IncomingHttpHeaders } from 'node:http'
import type { Json, Notification, RpcError } from '../protocol/messages.ts'
import type { Caller, Exchange } from './exchange.ts'

export type Answer =
  | { readonly result: Json }
  /** A result that is already JSON, as text or as bytes shared by many answers. */
  | { readonly written: string }
  | { readonly bytes: Buffer }
  | { readonly error: RpcError }
  | { readonly cancelled: true }

/** The description of a surface for `initialize` and `server/discover`. */
export interface Description {
  readonly capabilities: Json
  readonly serverInfo: unknown
  readonly instructions?: string
}

/** The changes that a client subscribes to. */
export interface Interests {
  readonly toolsListChanged: boolean
  readonly promptsListChanged: boolean
  readonly resourcesListChanged: boolean
  readonly resources: readonly string[]
}

/** Resources that are watched for a caller, until `stop`. */
export interface WatchedResources {
  readonly uris: readonly string[]
  stop(): void
}

export const NO_RESOURCES: WatchedResources = { uris: [], stop() {} }

/** A request without the way back to its client. */
export type RequestDetails = Pick<Exchange, 'requestId' | 'caller' | 'method' | 'params'>

/** What a client reaches at a path. Transports carry bytes; a surface knows what the methods mean there. */
export interface Surface {
  describe(caller: Caller): Promise<Description | RpcError>
  handle(exchange: Exchange): Promise<Answer>
  /** A notification of the client that belongs to none of its requests. */
  receive(caller: Caller, notification: Notification): void
  /** Passes on all notifications for the caller until it is stopped. */
  watch(caller: Caller, onNotification: (notification: Notification) => void): () => void
  /**
   * Why the caller may not watch the resources that a request names. Call this before `watchResources`, which checks
   * nothing.
   */
  admit(wanted: RequestDetails): Promise<RpcError | undefined>
  /** Watches resources upstream, as many as there is room for. */
  watchResources(caller: Caller, uris: readonly string[]): WatchedResources
  /**
   * What is wrong with the headers that repeat arguments of a tool, if the caller may know the tool; for an unknown
   * tool, the server checks them.
   */
  checkParamHeaders(
    caller: Caller,
    params: Json,
    request: { readonly headers: IncomingHttpHeaders },
  ): string | undefined
  /** A session of the caller ended. */
  release(caller: Caller): void
}
