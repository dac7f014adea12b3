import type { McpServer } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import type { Logger } from '../call/log.ts'
import type { Environment } from '../start/read-env.ts'
import { serveHttp } from './http.ts'
import { type HttpWay, isLoopback, readWay, USAGE, UsageError } from './read-way.ts'

export interface ServeOptions {
  /** Instead of the process's own arguments. */
  readonly args?: readonly string[]
  /** Instead of the process's own environment. */
  readonly env?: Environment
  /** `none` listens on any address without a token: for a server behind something that checks. */
  readonly auth?: 'none'
}

/** A server that runs. */
export type Serving =
  | { readonly transport: 'stdio'; close(): Promise<void> }
  | { readonly transport: 'http'; readonly url: string; close(): Promise<void> }

interface Served {
  readonly name: string
  readonly log: Logger
  /** Called when nobody is served any more. */
  readonly onClose: () => Promise<void>
}

/** Serves what `create` makes; one server for each connection, or for each request that stands alone. */
export async function serve(create: () => McpServer, options: ServeOptions & Served): Promise<Serving> {
  const way = readWay({ args: options.args ?? process.argv.slice(2), env: options.env ?? process.env })
  if (way === 'help') {
    process.stderr.write(`${USAGE}\n`)
    process.exit(0)
  }
  const onError = ({ message }: Error): void =>
    options.log({ time: new Date().toISOString(), level: 'error', server: options.name, message })
  if (way.kind === 'stdio') return serveStandardStreams(create, { onError, onClose: options.onClose })
  refuseOpenDoor(way, options)
  const { url, close: closeHttp } = await serveHttp(create, way, onError)
  const close = (): Promise<void> => closeHttp().finally(() => options.onClose())
  closeOnSignal(close)
  // As the gateway says it: whoever started this may wait for the line, and end it at once.
  process.stdout.write(`listening ${url}\n`)
  return { transport: 'http', url, close }
}

interface Endings {
  readonly onError: (error: Error) => void
  readonly onClose: () => Promise<void>
}

function serveStandardStreams(create: () => McpServer, { onError, onClose }: Endings): Serving {
  // Standard output belongs to MCP: one line of a library that prints there would end the connection.
  for (const method of ['log', 'info', 'debug'] as const) console[method] = console.error
  const handle = serveStdio(create, { onerror: onError })
  // A client that leaves closes our input; what was mounted must not keep this process alive.
  process.stdin.once('close', () => void onClose().catch(onError))
  return { transport: 'stdio', close: () => handle.close().finally(onClose) }
}

/** Tools are as good as their author's rights on this machine, so that nobody unknown may call them. */
function refuseOpenDoor({ host, token }: HttpWay, { auth }: ServeOptions): void {
  if (isLoopback(host) || token !== undefined || auth === 'none') return
  throw new UsageError(
    `others than this machine could call these tools on ${host}: set MCP_TOKEN, or pass { auth: 'none' } if something in front of this server checks who calls`,
  )
}

function closeOnSignal(close: () => Promise<void>): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      void close().finally(() => process.exit(0))
    })
  }
}
