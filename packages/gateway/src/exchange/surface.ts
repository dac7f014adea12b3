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

/** A request's details, without the means to reach its client. */
export type RequestDetails = Pick<Exchange, 'requestId' | 'caller' | 'method' | 'params'>

/** The set of tools that clients reach at one path. Transports carry bytes; a surface implements the methods. */
export interface Surface {
  describe(caller: Caller): Promise<Description | RpcError>
  handle(exchange: Exchange): Promise<Answer>
  /** Handles a client's notification that belongs to none of its requests. */
  receive(caller: Caller, notification: Notification): void
  /** Passes on all notifications for the caller until it is stopped. */
  watch(caller: Caller, onNotification: (notification: Notification) => void): () => void
  /**
   * Returns an error if the caller may not watch the resources that a request names. Call this before `watchResources`,
   * which checks nothing.
   */
  admit(wanted: RequestDetails): Promise<RpcError | undefined>
  /** Watches resources at the servers, up to the limits on watched resources. */
  watchResources(caller: Caller, uris: readonly string[]): WatchedResources
  /**
   * Describes what is wrong with the headers that repeat a tool's arguments; undefined if nothing is. For a tool that
   * the caller cannot see, nothing is checked here.
   */
  checkParamHeaders(
    caller: Caller,
    params: Json,
    request: { readonly headers: IncomingHttpHeaders },
  ): string | undefined
  /** Called when one of the caller's sessions ends. */
  release(caller: Caller): void
}
