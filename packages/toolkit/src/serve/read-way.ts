import { isIP } from 'node:net'
import { parseArgs } from 'node:util'
import type { Environment } from '../start/read-env.ts'

/** How a server is to be reached. */
export type Way = { readonly kind: 'stdio' } | HttpWay

export interface HttpWay {
  readonly kind: 'http'
  readonly host: string
  readonly port: number
  readonly path: string
  /** What every request must bring as `Authorization: Bearer …`. */
  readonly token: string | undefined
  /** Names besides the loopback's that a request may call this server by. */
  readonly allowedHosts: readonly string[]
}

export const USAGE = `Serves MCP over stdio, or over HTTP with --http or --port.

  --stdio              standard input and output (the default)
  --http               HTTP, on 127.0.0.1 and port 3000 unless said otherwise
  --port N             the port, 0 for any free one ($PORT)
  --host ADDRESS       the address to listen on ($HOST)
  --path PATH          the path of the endpoint; /mcp unless said otherwise
  --allow-host NAME    a name that clients call this server by ($MCP_ALLOWED_HOSTS, separated by commas)
  --help

$MCP_TRANSPORT is stdio or http. $MCP_TOKEN is what every HTTP request must bring; other addresses than this machine's
own are not listened on without it.`

/** Why a server did not start, in words for whoever started it. */
export class UsageError extends Error {}

interface Said {
  readonly args: readonly string[]
  readonly env: Environment
}

/** Arguments first, then the environment, then stdio. `$PORT` alone does not mean HTTP: shells often have one. */
export function readWay({ args, env }: Said): Way | 'help' {
  const said = parse(args)
  if (said.help) return 'help'
  const wantsHttp = said.http || said.port !== undefined
  if (wantsHttp && said.stdio) throw new UsageError('--stdio and --http exclude each other')
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

/** Whether only this machine can reach an address. */
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
  throw new UsageError(`a port is a number from 0 to 65535, not "${text}"`)
}

function splitList(text = ''): string[] {
  return text
    .split(',')
    .map(part => part.trim())
    .filter(part => part !== '')
}
