/** What a server answers with before the body. */
export interface ResponseHead {
  readonly status: number
  /** By names in lower case; what came several times is joined as a list. */
  readonly headers: ReadonlyMap<string, string>
}

/** A request as it is written: its head without the blank line, and its body. */
export interface WireRequest {
  readonly head: string
  readonly body?: string
}

/** Where a request is: in line for a connection, or on one. */
export interface Line {
  /** Ends the exchange with this error, if it is still there. */
  abort(exchange: Exchange, error: Error): void
  /** Reads nothing of the answer for a while: the server has to wait before it can say more. */
  rest(exchange: Exchange, ms: number): void
}

/** Whoever asked. Either `onEnd` or `onError` comes last, and only once. */
export interface Exchange {
  /** It waits here from now on. */
  onLine(line: Line): void
  onHead(head: ResponseHead): void
  /** The piece is written over when this is done. */
  onBody(piece: Buffer): void
  onEnd(): void
  onError(error: Error): void
}
