/** The status and headers of a response. */
export interface ResponseHead {
  readonly status: number
  /** Header names are in lower case. The values of a repeated header are joined with commas. */
  readonly headers: ReadonlyMap<string, string>
}

/** A request that is ready to be written: the head without the blank line at its end, and the body. */
export interface WireRequest {
  readonly head: string
  readonly body?: string | Buffer
}

/**
 * The current owner of a request: either the queue of requests that wait for a connection, or the connection that
 * carries the request.
 */
export interface Line {
  /** Fails the exchange with this error if it is still active. */
  abort(exchange: Exchange, error: Error): void
  /** Stops reading the response for this time, which slows the server down. */
  rest(exchange: Exchange, ms: number): void
}

/** Receives a response. The last call is either `onEnd` or `onError`, and it comes exactly once. */
export interface Exchange {
  /** Called when the request enters the queue or gets a connection. */
  onLine(line: Line): void
  onHead(head: ResponseHead): void
  /** The piece is valid only until this function returns, because its buffer is reused. */
  onBody(piece: Buffer): void
  onEnd(): void
  onError(error: Error): void
}
