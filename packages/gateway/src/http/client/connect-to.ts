import { connect as connectPlain, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'

const PATIENCE_MS = 10_000

const PROBE_MS = 60_000

const PIECE_BYTES = 64 * 1024

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

/** Connects to where a URL points, by TLS where it says so. */
export function connectTo({ protocol, hostname, port }: URL): Connect {
  const isTls = protocol === 'https:'
  const to = { host: hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(port) || (isTls ? 443 : 80) }
  const open = isTls ? openTls(to) : () => openPlain(to)
  const connected = isTls ? 'secureConnect' : 'connect'
  return done => {
    const opened = open()
    const { socket } = opened
    const finish = (outcome: Opened | Error): void => {
      clearTimeout(deadline)
      socket.off('error', finish)
      socket.off('close', onClosed)
      socket.off(connected, onConnected)
      if (outcome instanceof Error) {
        socket.on('error', () => {})
        socket.destroy()
      }
      done(outcome)
    }
    const onConnected = (): void => finish(opened)
    const onClosed = (): void => finish(new Error('it was closed'))
    const deadline = setTimeout(() => finish(tooLate()), PATIENCE_MS)
    socket.once('error', finish)
    // It may be called off while it is under way, and then the clock must not go on.
    socket.once('close', onClosed)
    socket.once(connected, onConnected)
    return socket.setNoDelay(true).setKeepAlive(true, PROBE_MS)
  }
}

interface Place {
  readonly host: string
  readonly port: number
}

/** Reads into one place again and again: a stream would make room anew for every piece. */
function openPlain(to: Place): Opened {
  let take = (_piece: Buffer): void => {}
  const buffer = Buffer.allocUnsafeSlow(PIECE_BYTES)
  const callback = (length: number): boolean => {
    take(buffer.subarray(0, length))
    return true
  }
  const socket = connectPlain({ ...to, onread: { buffer, callback } })
  return {
    socket,
    onPieces(taker) {
      take = taker
    },
  }
}

/** What one connection agreed on with the server saves the next one half of the work. */
function openTls(to: Place): () => Opened {
  let session: Buffer | undefined
  const servername = isIP(to.host) === 0 ? { servername: to.host } : {}
  return () => {
    const known = session === undefined ? {} : { session }
    const socket = connectTls({ ...to, ...servername, ...known, ALPNProtocols: ['http/1.1'] })
    socket.on('session', (agreed: Buffer) => {
      session = agreed
    })
    return { socket, onPieces: take => socket.on('data', take) }
  }
}

function tooLate(): Error {
  return Object.assign(new Error('it did not answer in time'), { code: 'CONNECT_TIMEOUT' })
}
