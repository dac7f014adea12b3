import type { McpServer } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import type { Logger } from '../call/log.ts'
import type { Environment } from '../start/read-env.ts'
import { serveHttp } from './http.ts'
import { type HttpTransport, isLoopback, readTransport, USAGE, UsageError } from './read-transport.ts'

export interface ServeOptions {
  /** Used instead of the arguments of the process. */
  readonly args?: readonly string[]
  /** Used instead of the environment of the process. */
  readonly env?: Environment
  /** `none` allows any address without a token, for a server behind a proxy that authenticates. */
  readonly auth?: 'none'
}

/** A running server. */
export type Serving =
  | { readonly transport: 'stdio'; close(): Promise<void> }
  | { readonly transport: 'http'; readonly url: string; close(): Promise<void> }

interface Served {
  readonly name: string
  readonly log: Logger
  /** Called when the server has stopped serving. */
  readonly onClose: () => Promise<void>
}

/** Serves the servers that `create` returns: a new one for each connection, or for each stateless request. */
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
  // Printed last, because a parent process can wait for this line and then stop the server. The gateway prints the same
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
  // A client that disconnects closes standard input; mounted servers must not keep this process alive.
  process.stdin.once('close', () => void onClose().catch(onError))
  return { transport: 'stdio', close: () => handle.close().finally(onClose) }
}

/** Tools act with the rights of the user who runs this process, so unauthenticated callers must not reach them. */
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
