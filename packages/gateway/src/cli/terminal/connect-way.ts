import { realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { HintgateError } from '../../base/errors.ts'
import type { Client, Way } from '../../client-configs/clients.ts'
import type { Config } from '../../config/config.ts'
import type { Context, PlaceFlags } from './context.ts'
import { version } from './version.ts'

export interface WayFlags extends PlaceFlags {
  readonly url?: string
  readonly stdio?: boolean
  readonly direct?: boolean
}

const BIN = fileURLToPath(new URL('../../../bin/hintgate.js', import.meta.url))
const ANSWER_MS = 2000
const ANYWHERE = /^(?:0\.0\.0\.0|::|\[::\])$/

/** How a client will reach this gateway; the token is filled in when there is one. */
export function chooseWay(client: Client, flags: WayFlags, { config, path }: Context) {
  if (flags.stdio === true || (!client.speaksHttp && flags.url === undefined))
    return (agent: string): Way => ({ kind: 'stdio', ...programOf(agent, flags, path) })
  if (!client.speaksHttp) throw invalid('--url', `${client.title} starts programs only; leave --url out`)
  const url = `${flags.url === undefined ? addressOf(config) : readUrl(flags.url)}${flags.direct ? '/mcp/direct' : '/mcp'}`
  return (_: string, token: string): Way => ({ kind: 'http', url, token })
}

export function addressOf({ listen: { host, port }, tls }: Pick<Config, 'listen' | 'tls'>): string {
  if (port === 0) throw invalid('--url', 'the config takes any free port, so say where the gateway is')
  const name = ANYWHERE.test(host) ? '127.0.0.1' : host
  return `${tls === undefined ? 'http' : 'https'}://${name.includes(':') && !name.startsWith('[') ? `[${name}]` : name}:${port}`
}

/** Whether a gateway is there already; a client that is started before it finds nothing. */
export async function isAnswering(way: Way): Promise<boolean> {
  if (way.kind === 'stdio') return true
  try {
    const { ok } = await fetch(new URL('/healthz', way.url), { signal: AbortSignal.timeout(ANSWER_MS) })
    return ok
  } catch {
    return false
  }
}

function readUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw invalid('--url', 'expected an address such as http://127.0.0.1:4428')
  return `${url.origin}${url.pathname.replace(/(?:\/mcp(?:\/direct)?)?\/*$/, '')}`
}

/** Clients start programs from anywhere, with a path of their own: everything is written out in full. */
function programOf(agent: string, flags: WayFlags, config: string | undefined) {
  const bin = realpathSync(BIN)
  // npx cleans up after itself; what it unpacked is not there tomorrow.
  const isPassing = /[/\\]_npx[/\\]/.test(bin)
  const start = isPassing ? ['npx', '-y', `@hintgate/gateway@${version()}`] : [process.execPath, bin]
  const [command = '', ...first] = start
  const place = [
    ...(config === undefined ? [] : ['--config', resolve(config)]),
    ...(flags.home === undefined ? [] : ['--home', resolve(flags.home)]),
    ...(flags.store === undefined ? [] : ['--store', flags.store]),
  ]
  const direct = flags.direct ? ['--direct'] : []
  return { command, args: [...first, 'stdio', '--agent', agent, ...direct, ...place] }
}

function invalid(flag: string, why: string): HintgateError {
  return new HintgateError('flag_invalid', { flag, why })
}
