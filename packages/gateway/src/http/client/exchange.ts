/** The response before its body. */
export interface ResponseHead {
  readonly status: number
  /** Names in lower case; repeated headers are joined as a list. */
  readonly headers: ReadonlyMap<string, string>
}

/** A request as it is written: its head without the blank line, and its body. */
export interface WireRequest {
  readonly head: string
  readonly body?: string
}

/** Where a request is: in the queue for a connection, or on one. */
export interface Line {
  /** Fails the exchange with this error if it is still active. */
  abort(exchange: Exchange, error: Error): void
  /** Stops reading for a while, so that the server has to wait. */
  rest(exchange: Exchange, ms: number): void
}

/** The requesting side. Either `onEnd` or `onError` is called last, and only once. */
export interface Exchange {
  /** Called when the request moves to the queue or to a connection. */
  onLine(line: Line): void
  onHead(head: ResponseHead): void
  /** The buffer of the piece is reused after this returns. */
  onBody(piece: Buffer): void
  onEnd(): void
  onError(error: Error): void
}
