import type { Id } from '../../protocol/messages.ts'

/** One message on its way to a server, ready as text, with what a channel needs to know to carry it. */
export interface Outgoing {
  readonly text: string
  /** Set for requests: whatever comes of it is reported under this id. */
  readonly id?: Id
  /** Set for answers to what the server asks: what to answer where there is no room for that. */
  readonly otherwise?: () => string
  readonly headers?: Readonly<Record<string, string>>
}

export type Objection = Failure | undefined | Promise<Failure | undefined>

/** Why a request got no answer, or a channel ended. */
export interface Failure {
  readonly kind: 'unavailable' | 'protocol' | 'session-lost' | 'too-large' | 'unauthorized' | 'quarantined'
  readonly detail: string
  /** True only if it is certain that the server never saw the request. */
  readonly notSent: boolean
  /** Trying again at once would not help: the server does not start, or is left alone for a while. */
  readonly isLasting?: true
  /** The server itself ended, and everybody's calls with it. */
  readonly isEnd?: true
  /** When the server is tried again, where that is laid down. */
  readonly retryInMs?: number
  /** The server's JSON-RPC error, where the failure came with one. */
  readonly body?: string
  /** The server says that it executed nothing, and may execute the request after this. */
  readonly notExecuted?: Remedy
}

/** What to do before a request is sent again that was not executed. */
export type Remedy =
  /** The server forgot the session. */
  | { readonly kind: 'open-again' }
  /** The server does not accept the token. Gives why there is no better one. */
  | { readonly kind: 'renew-token'; renew(): Promise<Failure | undefined> }

export type StreamEvent = 'opened' | 'paused'

export interface ChannelHandlers {
  /**
   * A message arrived; `relatedTo` names the request on whose stream it came, where the channel can tell. Gives for how many
   * milliseconds nothing more is to be read there: 0, unless the server says too much.
   */
  onMessage(text: string, relatedTo?: Id): number
  /** A request's answer comes as a stream: it opened, or closed for now with more to come. */
  onStream?(id: Id, event: StreamEvent): void
  /** A request will never be answered. */
  onLost(id: Id, failure: Failure): void
  /** Nothing will come any more. */
  onClosed(failure: Failure): void
}

/** A request on its way, on a stream of its own. */
export interface Carried {
  /** It has been answered; whatever else the stream brings is of no interest. */
  settle(): void
  /** Nobody waits for the answer any more; the stream is closed. */
  abandon(): void
}

/** A way to carry messages to one server and back. It knows nothing of methods, eras or callers. */
export interface Channel {
  open(handlers: ChannelHandlers): Promise<void>
  /** Gives a way to call a request off, where it has a stream of its own. */
  send(message: Outgoing): Carried | undefined
  /** Listen for messages that belong to no request, where that needs a stream of its own. */
  listen?(headers: Readonly<Record<string, string>>): void
  /** The last lines a child process wrote to its standard error. */
  readonly stderr?: readonly string[]
  /** A pipe has neither headers nor a stream for each request. */
  readonly isPipe?: true
  close(): Promise<void>
}
