import type { Id } from '../../protocol/messages.ts'

/** One message to a server as text, with everything that a channel needs in order to send it. */
export interface Outgoing {
  readonly text: string
  /** Set for a request. The channel reports the outcome with this id. */
  readonly id?: Id
  /**
   * Set for an answer to the server's question. Returns a shorter answer, which is sent if the full one does not fit.
   */
  readonly fallback?: () => string
  readonly headers?: Readonly<Record<string, string>>
  /** The caller's own credential for this server. Only a channel whose config asks for it sends it on. */
  readonly credential?: string | undefined
}

export type Objection = Failure | undefined | Promise<Failure | undefined>

export interface Failure {
  readonly kind: 'unavailable' | 'protocol' | 'session-lost' | 'too-large' | 'unauthorized' | 'quarantined'
  readonly detail: string
  /** True only if it is certain that the server never saw the request. */
  readonly notSent: boolean
  /** Set if an immediate retry cannot help, because the server does not start or its circuit breaker is open. */
  readonly isLasting?: true
  /** Set if the server process itself ended, and every call with it. */
  readonly isEnd?: true
  /** Milliseconds until the gateway tries the server again, if that is known. */
  readonly retryInMs?: number
  /** The server's JSON-RPC error, if it sent one. */
  readonly body?: string
  /** Set if the server certainly executed nothing, but might execute the request after this remedy. */
  readonly notExecuted?: Remedy
}

/** A step that is needed before a request which the server did not execute is sent again. */
export type Remedy =
  | { readonly kind: 'open-again' }
  /** The server rejected the token. `renew` gets a new one, or returns a failure if there is none. */
  | { readonly kind: 'renew-token'; renew(): Promise<Failure | undefined> }

export type StreamEvent = 'opened' | 'paused'

export interface ChannelHandlers {
  /**
   * Called for each message. `relatedTo` is the request on whose stream the message came, if the channel knows. Returns
   * how long to stop reading, in milliseconds; this is 0 unless the server sends too much.
   */
  onMessage(text: string, relatedTo?: Id): number
  /**
   * Called when a request's answer begins to arrive as a stream, and when that stream closes before the answer is
   * complete.
   */
  onStream?(id: Id, event: StreamEvent): void
  /** Called when a request will not get an answer. */
  onLost(id: Id, failure: Failure): void
  /** Called when the channel has closed. No messages come after that. */
  onClosed(failure: Failure): void
}

/** The answer stream of one request. */
export interface RequestStream {
  /** Called when the request is answered and the rest of the stream is not needed. */
  settle(): void
  /** Closes the stream because the caller no longer waits for the answer. */
  abandon(): void
}

/** Exchanges messages with one server, without knowledge of methods, eras or callers. */
export interface Channel {
  open(handlers: ChannelHandlers): Promise<void>
  /**
   * Sends a message. If it is a request with its own stream, returns that stream, through which the request can be
   * cancelled.
   */
  send(message: Outgoing): RequestStream | undefined
  /** Opens a stream for messages that belong to no request. Only some transports need one. */
  listen?(headers: Readonly<Record<string, string>>): void
  /** The last lines that a server's process wrote to standard error. */
  readonly stderr?: readonly string[]
  /** Set if the channel is a pipe: it has no headers, and requests have no streams of their own. */
  readonly isPipe?: true
  close(): Promise<void>
}
