import type { Id } from '../../protocol/messages.ts'

/** One message to a server, ready as text, with what a channel needs to send it. */
export interface Outgoing {
  readonly text: string
  /** Set for requests: the channel reports the outcome under this id. */
  readonly id?: Id
  /** Set for answers to the server's questions: a shorter one to send if this one does not fit. */
  readonly fallback?: () => string
  readonly headers?: Readonly<Record<string, string>>
}

export type Objection = Failure | undefined | Promise<Failure | undefined>

export interface Failure {
  readonly kind: 'unavailable' | 'protocol' | 'session-lost' | 'too-large' | 'unauthorized' | 'quarantined'
  readonly detail: string
  /** True only if the server certainly never saw the request. */
  readonly notSent: boolean
  /** Trying again at once does not help: the server does not start, or its circuit breaker is open. */
  readonly isLasting?: true
  /** The server itself ended, and all calls with it. */
  readonly isEnd?: true
  /** When the gateway tries the server again, if that is known. */
  readonly retryInMs?: number
  /** The server's JSON-RPC error, if the failure came with one. */
  readonly body?: string
  /** The server executed nothing and may execute the request after this. */
  readonly notExecuted?: Remedy
}

/** A remedy to apply before a request that was not executed is sent again. */
export type Remedy =
  | { readonly kind: 'open-again' }
  /** The server does not accept the token. Returns the failure if a better one is not available. */
  | { readonly kind: 'renew-token'; renew(): Promise<Failure | undefined> }

export type StreamEvent = 'opened' | 'paused'

export interface ChannelHandlers {
  /**
   * A message arrived; `relatedTo` is the request of its stream, if the channel knows it. Returns for how
   * many milliseconds to stop reading: 0 unless the server sends too much.
   */
  onMessage(text: string, relatedTo?: Id): number
  /** The answer to a request comes as a stream, which opened, or closed for now with more to come. */
  onStream?(id: Id, event: StreamEvent): void
  /** A request gets no answer. */
  onLost(id: Id, failure: Failure): void
  /** No more messages will come. */
  onClosed(failure: Failure): void
}

/** A request with a stream of its own. */
export interface RequestStream {
  /** The request is answered; the rest of the stream does not matter. */
  settle(): void
  /** Closes the stream, because the caller no longer waits for the answer. */
  abandon(): void
}

/** Exchanges messages with one server. It does not know methods, eras or callers. */
export interface Channel {
  open(handlers: ChannelHandlers): Promise<void>
  /** Returns a way to cancel a request that has a stream of its own. */
  send(message: Outgoing): RequestStream | undefined
  /** Opens a stream for messages that belong to no request, if the transport needs one. */
  listen?(headers: Readonly<Record<string, string>>): void
  /** The last lines that a child process wrote to its standard error. */
  readonly stderr?: readonly string[]
  /** A pipe has neither headers nor a stream for each request. */
  readonly isPipe?: true
  close(): Promise<void>
}
