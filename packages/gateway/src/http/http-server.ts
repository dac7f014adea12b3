import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { Socket } from 'node:net'
import { Connections } from '../admission/connections.ts'
import type { Config } from '../config/config.ts'
import { DirectRequest } from './direct-request.ts'
import { DirectResponse } from './direct-response.ts'

type Listener = RequestListener<typeof DirectRequest>

/** A server that gives nobody longer than it takes to send a request; it does not listen yet. */
export function createHttpServer(
  { limits, tls }: Config,
  listener: Listener,
): { readonly server: Server; readonly connections: Connections } {
  const options = {
    IncomingMessage: DirectRequest,
    ServerResponse: DirectResponse,
    maxHeaderSize: limits.headerBytes,
    requestTimeout: 30_000,
    headersTimeout: 10_000,
    keepAliveTimeout: 30_000,
    // Half a minute is how late the others would be without it.
    connectionsCheckingInterval: 5000,
  }
  const server =
    tls === undefined
      ? createServer(options)
      : createTlsServer({ ...options, ...tls, handshakeTimeout: options.headersTimeout })
  const connections = new Connections(server, { most: limits.connections, isTls: tls !== undefined })
  server.on('request', oneAtATime(listener, connections))
  // One more, which makes room for itself.
  server.maxConnections = limits.connections + 1
  // Bytes are bounded. Headers that Node leaves out by their number would be seen by nobody but a proxy in front of us.
  server.maxHeadersCount = 0
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const status =
      error.code === 'HPE_HEADER_OVERFLOW' ? '431 Request Header Fields Too Large' : '400 Bad Request'
    if (socket.writable) socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\n\r\n`)
  })
  return { server, connections }
}

/**
 * Who asks again before the answer is there is hung up on. Node would keep such a response aside, without a socket, and
 * never say that its client has gone: whatever it was counted in, it would be counted in for ever. No client does this.
 * But a client can have read a long answer to its end before Node knows that; then its next request waits for a moment.
 */
function oneAtATime(listener: Listener, connections: Connections): Listener {
  /** The last one of each connection, until it is over: what a response knows would stay as long as its client does. */
  const last = new WeakMap<Socket, ServerResponse>()
  return (req, res) => {
    const { socket } = req
    const before = last.get(socket)
    last.set(socket, res)
    res.on('close', () => {
      // The next one may be at work by now.
      if (last.get(socket) !== res) return
      last.delete(socket)
      connections.leave(socket)
    })
    if (res.socket !== null) listener(req, res)
    else if (before?.writableEnded) res.once('socket', () => listener(req, res))
    else socket.destroy()
  }
}

/** Gives the URL that it listens at, which says more than the config where that leaves the port open. */
export function startListening(server: Server, { listen, tls }: Config): Promise<string> {
  const { host, port } = listen
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      const address = server.address()
      const bound = typeof address === 'object' && address !== null ? address.port : port
      const scheme = tls === undefined ? 'http' : 'https'
      resolve(`${scheme}://${host.includes(':') ? `[${host}]` : host}:${bound}`)
    })
  })
}
