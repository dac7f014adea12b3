import { connect as connectPlain, isIP, type LookupFunction, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'

const PATIENCE_MS = 10_000

const PROBE_MS = 60_000

const PIECE_BYTES = 64 * 1024

/** An open connection to a server. */
export interface Opened {
  readonly socket: Socket
  /** Starts delivering the received data in pieces. The buffer of each piece is reused after the callback returns. */
  onPieces(take: (piece: Buffer) => void): void
}

/** Opens a connection; destroying the returned socket cancels it. */
export type Connect = (done: (opened: Opened | Error) => void) => Socket

/** The connection could not be opened, so no part of the request was sent. */
export class NotConnected extends Error {
  readonly code: string | undefined

  constructor(cause: Error) {
    super(cause.message, { cause })
    this.code = (cause as NodeJS.ErrnoException).code
  }
}

/** Connects to the host of a URL, with TLS for https. `lookup` replaces the usual lookup of its name. */
export function connectTo({ protocol, hostname, port }: URL, lookup?: LookupFunction): Connect {
  const isTls = protocol === 'https:'
  const to = {
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(port) || (isTls ? 443 : 80),
    ...(lookup === undefined ? {} : { lookup }),
  }
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
    const onClosed = (): void => finish(new Error('the connection was closed'))
    const deadline = setTimeout(() => finish(tooLate()), PATIENCE_MS)
    socket.once('error', finish)
    // Stops the timer if the connection attempt is cancelled.
    socket.once('close', onClosed)
    socket.once(connected, onConnected)
    return socket.setNoDelay(true).setKeepAlive(true, PROBE_MS)
  }
}

interface Place {
  readonly host: string
  readonly port: number
  readonly lookup?: LookupFunction
}

/** Opens a connection without TLS. It reads into one reused buffer; a stream would allocate one for every piece. */
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

/** Opens a connection with TLS. Resuming the TLS session of an earlier connection saves half of the work. */
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
  return Object.assign(new Error('the connection timed out'), { code: 'CONNECT_TIMEOUT' })
}
