import type { Id } from '../../protocol/messages.ts'

/** One message to a server as text, with everything that a channel needs to send it. */
export interface Outgoing {
  readonly text: string
  /** Set for requests: the channel reports the outcome under this id. */
  readonly id?: Id
  /** Set for answers to the server's questions: returns a shorter answer, to be sent if this one does not fit. */
  readonly fallback?: () => string
  readonly headers?: Readonly<Record<string, string>>
}

export type Objection = Failure | undefined | Promise<Failure | undefined>

export interface Failure {
  readonly kind: 'unavailable' | 'protocol' | 'session-lost' | 'too-large' | 'unauthorized' | 'quarantined'
  readonly detail: string
  /** True only if the server certainly never saw the request. */
  readonly notSent: boolean
  /** Set if trying again immediately cannot help: the server does not start, or its circuit breaker is open. */
  readonly isLasting?: true
  /** Set if the server itself ended, and with it all calls. */
  readonly isEnd?: true
  /** When the gateway tries the server again, if that is known. */
  readonly retryInMs?: number
  /** The server's JSON-RPC error, if the failure came with one. */
  readonly body?: string
  /** Set if the server executed nothing, and may execute the request after this remedy. */
  readonly notExecuted?: Remedy
}

/** A remedy to apply before a request that was not executed is sent again. */
export type Remedy =
  | { readonly kind: 'open-again' }
  /** The server did not accept the token. `renew` returns a failure if no better token is available. */
  | { readonly kind: 'renew-token'; renew(): Promise<Failure | undefined> }

export type StreamEvent = 'opened' | 'paused'

export interface ChannelHandlers {
  /**
   * Called for each message. `relatedTo` is the request whose stream it came on, if the channel knows it. Returns how
   * many milliseconds to stop reading: 0 unless the server sends too much.
   */
  onMessage(text: string, relatedTo?: Id): number
  /**
   * Called when the answer to a request comes as a stream that has opened, or that has closed for now with more to
   * come.
   */
  onStream?(id: Id, event: StreamEvent): void
  /** Called for a request that gets no answer. */
  onLost(id: Id, failure: Failure): void
  /** Called when the channel has closed and no more messages can come. */
  onClosed(failure: Failure): void
}

/** A request with a stream of its own. */
export interface RequestStream {
  /** Called when the request is answered, so that the rest of the stream is not needed. */
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
  /** Set for pipes, which have neither headers nor a stream for each request. */
  readonly isPipe?: true
  close(): Promise<void>
}
