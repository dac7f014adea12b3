/** The response before its body. */
export interface ResponseHead {
  readonly status: number
  /** Names in lower case; repeated headers are joined as a list. */
  readonly headers: ReadonlyMap<string, string>
}

/** A request to write: its head without the blank line at the end, and its body. */
export interface WireRequest {
  readonly head: string
  readonly body?: string
}

/** The current owner of a request: the queue for a connection, or the connection that carries the request. */
export interface Line {
  /** Fails the exchange with this error if it is still active. */
  abort(exchange: Exchange, error: Error): void
  /** Stops reading the response for this time, so that the server has to wait. */
  rest(exchange: Exchange, ms: number): void
}

/** The receiver of a response. Either `onEnd` or `onError` is called last, and only once. */
export interface Exchange {
  /** Called when the request enters the queue or gets a connection. */
  onLine(line: Line): void
  onHead(head: ResponseHead): void
  /** The piece is only valid until this returns, because its buffer is reused. */
  onBody(piece: Buffer): void
  onEnd(): void
  onError(error: Error): void
}
