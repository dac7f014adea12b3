import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { Socket } from 'node:net'
import { Connections } from '../admission/connections.ts'
import type { Config } from '../config/config.ts'
import { DirectRequest } from './direct-request.ts'
import { DirectResponse } from './direct-response.ts'

type Listener = RequestListener<typeof DirectRequest>

/** Creates an HTTP server with time limits for receiving requests. It does not listen yet. */
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
    // Timeouts are checked more often than by default, which is every 30 seconds.
    connectionsCheckingInterval: 5000,
  }
  const server =
    tls === undefined
      ? createServer(options)
      : createTlsServer({ ...options, ...tls, handshakeTimeout: options.headersTimeout })
  const connections = new Connections(server, { most: limits.connections, isTls: tls !== undefined })
  server.on('request', oneAtATime(listener, connections))
  // Allows one connection more than the limit, because `Connections` closes an older one when it arrives.
  server.maxConnections = limits.connections + 1
  // The number of headers is not limited, because Node would silently drop headers that a proxy in front still sees.
  // Their total length is limited.
  server.maxHeadersCount = 0
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const status =
      error.code === 'HPE_HEADER_OVERFLOW' ? '431 Request Header Fields Too Large' : '400 Bad Request'
    if (socket.writable) socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\n\r\n`)
  })
  return { server, connections }
}

/**
 * Closes a connection whose client sends another request before it has received the answer to the previous one. Node
 * would keep the new response without a socket and never report a disconnect, so the response would count towards
 * limits for ever. No real client does this. However, a client can read a long answer to its end before Node notices;
 * in that case its next request waits for a moment.
 */
function oneAtATime(listener: Listener, connections: Connections): Listener {
  /**
   * The open response of each connection. A response is removed when it closes, because it would otherwise stay in
   * memory as long as the connection.
   */
  const last = new WeakMap<Socket, ServerResponse>()
  return (req, res) => {
    const { socket } = req
    const before = last.get(socket)
    last.set(socket, res)
    res.on('close', () => {
      // By now, `last` might already hold the next response.
      if (last.get(socket) !== res) return
      last.delete(socket)
      connections.leave(socket)
    })
    if (res.socket !== null) listener(req, res)
    else if (before?.writableEnded) res.once('socket', () => listener(req, res))
    else socket.destroy()
  }
}

/** Starts listening. Returns the actual URL, with the port that the system chose if the config gives port 0. */
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
