import { isIP } from 'node:net'
import { parseArgs } from 'node:util'
import type { Environment } from '../start/read-env.ts'

/** The transport of a server, with its settings. */
export type Transport = { readonly kind: 'stdio' } | HttpTransport

export interface HttpTransport {
  readonly kind: 'http'
  readonly host: string
  readonly port: number
  readonly path: string
  /** The token that every request must send as `Authorization: Bearer …`. */
  readonly token: string | undefined
  /** Host names that are accepted in the Host and Origin headers, in addition to those of the loopback address. */
  readonly allowedHosts: readonly string[]
}

export const USAGE = `Serves MCP over stdio, or over HTTP with --http or --port.

  --stdio              standard input and output (the default)
  --http               HTTP, by default on 127.0.0.1 and port 3000
  --port N             the port, or 0 for any free port ($PORT)
  --host ADDRESS       the address to listen on ($HOST)
  --path PATH          the path of the endpoint (default: /mcp)
  --allow-host NAME    a host name that clients use for this server ($MCP_ALLOWED_HOSTS, separated by commas)
  --help

$MCP_TRANSPORT is stdio or http. $MCP_TOKEN is the token that every HTTP request must send; it is required for any
 address that other machines can reach.`

/** Thrown when a server cannot start. The message is for the person who started the server. */
export class UsageError extends Error {}

interface Said {
  readonly args: readonly string[]
  readonly env: Environment
}

/**
 * Reads the transport. Arguments take precedence over the environment, and the default is stdio. `$PORT` alone does not
 * select HTTP, because many environments set it.
 */
export function readTransport({ args, env }: Said): Transport | 'help' {
  const said = parse(args)
  if (said.help) return 'help'
  const wantsHttp = said.http || said.port !== undefined
  if (wantsHttp && said.stdio) throw new UsageError('use either --stdio or --http, not both')
  const transport = wantsHttp ? 'http' : said.stdio ? 'stdio' : (env.MCP_TRANSPORT ?? 'stdio')
  if (transport === 'stdio') return { kind: 'stdio' }
  if (transport !== 'http') throw new UsageError(`MCP_TRANSPORT must be stdio or http, not "${transport}"`)
  const token = env.MCP_TOKEN === '' ? undefined : env.MCP_TOKEN
  return {
    kind: 'http',
    host: said.host ?? env.HOST ?? '127.0.0.1',
    port: readPort(said.port ?? env.PORT ?? '3000'),
    path: said.path ?? '/mcp',
    token,
    allowedHosts: [...(said['allow-host'] ?? []), ...splitList(env.MCP_ALLOWED_HOSTS)],
  }
}

/** Returns true if an address can be reached only from this machine. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
}

function parse(args: readonly string[]) {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        stdio: { type: 'boolean', default: false },
        http: { type: 'boolean', default: false },
        port: { type: 'string' },
        host: { type: 'string' },
        path: { type: 'string' },
        'allow-host': { type: 'string', multiple: true },
        help: { type: 'boolean', short: 'h', default: false },
      },
    })
    return values
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`)
  }
}

function readPort(text: string): number {
  const port = Number(text)
  if (text.trim() !== '' && Number.isInteger(port) && port >= 0 && port < 65_536) return port
  throw new UsageError(`the port must be a number from 0 to 65535, not "${text}"`)
}

function splitList(text = ''): string[] {
  return text
    .split(',')
    .map(part => part.trim())
    .filter(part => part !== '')
}
