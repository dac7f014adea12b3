import type { Socket } from 'node:net'

/** Longer ones would be copied for more than it saves. */
const MOST_BYTES = 16 * 1024

type Piece = { readonly chunk: string | Buffer; readonly encoding: BufferEncoding }
type Done = (error?: Error | null) => void

/**
 * Has what is written to a socket at once leave in one piece where it is short. undici writes the head of a request and
 * its body, and two pieces cost Node half as much again as one.
 */
export function joinPieces<T extends Socket>(socket: T): T {
  const writeApart = socket._writev?.bind(socket)
  socket._writev = (pieces: readonly Piece[], done: Done) => {
    const whole = joinShort(pieces)
    if (whole === undefined) writeApart?.([...pieces], done)
    else socket._write(whole, 'buffer' as BufferEncoding, done)
  }
  return socket
}

function joinShort(pieces: readonly Piece[]): Buffer | undefined {
  let bytes = 0
  for (const { chunk, encoding } of pieces)
    bytes += typeof chunk === 'string' ? Buffer.byteLength(chunk, encoding) : chunk.length
  if (bytes > MOST_BYTES) return undefined
  const whole = Buffer.allocUnsafe(bytes)
  let at = 0
  for (const { chunk, encoding } of pieces)
    at += typeof chunk === 'string' ? whole.write(chunk, at, encoding) : chunk.copy(whole, at)
  return whole
}
