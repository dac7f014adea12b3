import type { Socket } from 'node:net'

/** A connection that is there. */
export interface Opened {
  readonly socket: Socket
  /** Has what comes handed over, piece by piece. A piece is written over when that is done. */
  onPieces(take: (piece: Buffer) => void): void
}

/** Opens a connection; what is given back can be called off. */
export type Connect = (done: (opened: Opened | Error) => void) => Socket

/** There was no connection, so that nothing of the request can have left. */
export class NotConnected extends Error {
  readonly code: string | undefined

  constructor(cause: Error) {
    super(cause.message, { cause })
    this.code = (cause as NodeJS.ErrnoException).code
  }
}
