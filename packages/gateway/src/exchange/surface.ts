import type { IncomingHttpHeaders } from 'node:http'
import type { Json, Notification, RpcError } from '../protocol/messages.ts'
import type { Caller, Exchange } from './exchange.ts'

export type Answer =
  | { readonly result: Json }
  /** A result that is already written as JSON: text, or bytes that many answers share. */
  | { readonly written: string }
  | { readonly bytes: Buffer }
  | { readonly error: RpcError }
  | { readonly cancelled: true }

/** How a surface describes itself in `initialize` and `server/discover`. */
export interface Description {
  readonly capabilities: Json
  readonly serverInfo: unknown
  readonly instructions?: string
}

/** The kinds of changes that a client subscribes to. */
export interface Interests {
  readonly toolsListChanged: boolean
  readonly promptsListChanged: boolean
  readonly resourcesListChanged: boolean
  readonly resources: readonly string[]
  /** The ids of tasks. */
  readonly tasks: readonly string[]
}

/** Resources that are watched for a caller until `stop` is called. */
export interface WatchedResources {
  readonly uris: readonly string[]
  stop(): void
}

/** Tasks that are watched for a caller until `stop` is called. */
export interface WatchedTasks {
  readonly ids: readonly string[]
  stop(): void
}

/** The details of a request, without the functions that reach its client. */
export type RequestDetails = Pick<Exchange, 'requestId' | 'caller' | 'method' | 'params' | 'set'>

/**
 * The set of tools that clients reach at one path. Transports carry the bytes, and a surface implements the MCP
 * methods.
 */
export interface Surface {
  describe(caller: Caller): Promise<Description | RpcError>
  handle(exchange: Exchange): Promise<Answer>
  /** Handles a client's notification that does not belong to any of the client's requests. */
  receive(caller: Caller, notification: Notification): void
  /** Passes all notifications for the caller to `onNotification`. The returned function ends this. */
  watch(caller: Caller, onNotification: (notification: Notification) => void): () => void
  /**
   * Returns an error if the caller is not allowed to watch the resources that a request names. Must be called before
   * `watchResources`, which checks nothing.
   */
  admit(wanted: RequestDetails): Promise<RpcError | undefined>
  /** Watches resources at the servers, as many as the limits allow. */
  watchResources(caller: Caller, uris: readonly string[]): WatchedResources
  /** Watches the caller's tasks, as many as the limits allow. */
  watchTasks(
    caller: Caller,
    ids: readonly string[],
    onNotification: (notification: Notification) => void,
  ): Promise<WatchedTasks>
  /**
   * Describes the error in the headers that repeat a tool's arguments, or returns undefined if they are correct. The
   * headers are not checked for a tool that the caller cannot see.
   */
  checkParamHeaders(
    caller: Caller,
    params: Json,
    request: { readonly headers: IncomingHttpHeaders },
  ): string | undefined
  /** Called when one of the caller's sessions ends. */
  release(caller: Caller): void
}
