import type { McpServer } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import type { Logger } from '../call/log.ts'
import type { Environment } from '../start/read-env.ts'
import { serveHttp } from './http.ts'
import { type HttpTransport, isLoopback, readTransport, USAGE, UsageError } from './read-transport.ts'

export interface ServeOptions {
  /** Replaces the arguments of the process. */
  readonly args?: readonly string[]
  /** Replaces the environment of the process. */
  readonly env?: Environment
  /**
   * `none` allows any listening address without a token. It is for servers behind a proxy that authenticates callers.
   */
  readonly auth?: 'none'
}

/** A running server. */
export type Serving =
  | { readonly transport: 'stdio'; close(): Promise<void> }
  | { readonly transport: 'http'; readonly url: string; close(): Promise<void> }

interface Served {
  readonly name: string
  readonly log: Logger
  /** Called when the server no longer serves. */
  readonly onClose: () => Promise<void>
}

/**
 * Serves the servers that `create` returns. A new one is created for each connection, or for each request if requests
 * are stateless.
 */
export async function serve(create: () => McpServer, options: ServeOptions & Served): Promise<Serving> {
  const transport = readTransport({
    args: options.args ?? process.argv.slice(2),
    env: options.env ?? process.env,
  })
  if (transport === 'help') {
    process.stderr.write(`${USAGE}\n`)
    process.exit(0)
  }
  const onError = ({ message }: Error): void =>
    options.log({ time: new Date().toISOString(), level: 'error', server: options.name, message })
  if (transport.kind === 'stdio') return serveStandardStreams(create, { onError, onClose: options.onClose })
  refuseOpenAddress(transport, options)
  const { url, close: closeHttp } = await serveHttp(create, transport, onError)
  const close = (): Promise<void> => closeHttp().finally(() => options.onClose())
  closeOnSignal(close)
  // Printed last, because a parent process may wait for this line and then stop the server. The gateway prints the same
  // line.
  process.stdout.write(`listening ${url}\n`)
  return { transport: 'http', url, close }
}

interface Endings {
  readonly onError: (error: Error) => void
  readonly onClose: () => Promise<void>
}

function serveStandardStreams(create: () => McpServer, { onError, onClose }: Endings): Serving {
  // Standard output carries MCP messages, so a line printed by a library would break the connection.
  for (const method of ['log', 'info', 'debug'] as const) console[method] = console.error
  const handle = serveStdio(create, { onerror: onError })
  // A client that disconnects closes standard input. Mounted servers must then not keep this process alive.
  process.stdin.once('close', () => void onClose().catch(onError))
  return { transport: 'stdio', close: () => handle.close().finally(onClose) }
}

/**
 * Refuses to listen on an address that other machines can reach without a token: tools act with the rights of the user
 * who runs this process.
 */
function refuseOpenAddress({ host, token }: HttpTransport, { auth }: ServeOptions): void {
  if (isLoopback(host) || token !== undefined || auth === 'none') return
  throw new UsageError(
    `other machines could call these tools on ${host} without a token: set MCP_TOKEN, or pass { auth: 'none' } if a proxy in front of this server authenticates callers`,
  )
}

function closeOnSignal(close: () => Promise<void>): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      void close().finally(() => process.exit(0))
    })
  }
}
