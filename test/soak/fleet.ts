import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { type Gateway, readiness, type Server, startGateway } from '../support/gateway.ts'
import { address, type Running, run } from '../support/processes.ts'
import { waitForLine } from './patience.ts'

export interface FleetSize {
  readonly agents: number
  readonly servers: number
}

export interface Fleet {
  readonly gateway: Gateway
  /** The process that most servers share. */
  readonly host: Running
  /** Servers shared by all sessions. */
  readonly servers: readonly string[]
  /** Those that are separate processes and report progress. */
  readonly programs: readonly string[]
  /** A server with a process for every session. */
  readonly isolated: string
  readonly tokens: readonly string[]
}

const SERVER = fileURLToPath(new URL('many-servers.mjs', import.meta.url))
const PROBE = new URL('probe.mjs', import.meta.url).href
/** A Node process takes about 40 MB, so most servers share one, each with its own address. */
const PROGRAMS = 5
const ISOLATED = 'isolated-0'
const STORM = ['--storm', '30000', '--burst', '20']
/**
 * Idle state must expire before the run ends, and slow readers must exceed a limit. But no client may expire because
 * the machine stalled: timers then fire before waiting socket data is read. The risk states of sessions, a kilobyte
 * each, must reach their limit early on.
 */
const LIMITS = { sessionIdle: '30s', streamQueue: '256kb', sessions: 1500 }

/** A gateway with many servers and agents, all ready. */
export async function startFleet({ agents, servers }: FleetSize): Promise<Fleet> {
  const programs = Array.from({ length: PROGRAMS }, (_, at) => `stdio-${at}`)
  const addresses = Math.max(0, servers - PROGRAMS - 1)
  const host = run(process.execPath, [SERVER, '--http', String(addresses), ...STORM])
  const url = await address(host)
  const entries: [string, Server][] = [
    ...programs.map((name): [string, Server] => [name, program(name, STORM)]),
    [ISOLATED, { ...program(ISOLATED, []), isolation: 'session' }],
    ...Array.from({ length: addresses }, (_, at): [string, Server] => [
      `http-${at}`,
      { url: `${url}/${at}/mcp`, type: 'http', trust: 'trusted' },
    ]),
  ]
  const tokens = Array.from({ length: agents }, () => `soak-${randomBytes(24).toString('base64url')}`)
  const scope = { permissions: ['retrieve_tools', 'read', 'write', 'destructive'], servers: ['*'] }
  const agent_tokens = Object.fromEntries(tokens.map((token, at) => [`agent-${at}`, { ...scope, token }]))
  const config = { mcpServers: Object.fromEntries(entries), agent_tokens, limits: LIMITS }
  const gateway = await startGateway(config, { env: { NODE_OPTIONS: `--import ${PROBE}` } })
  const names = entries.map(([name]) => name)
  for (const name of names) await waitForLine(gateway, readiness(name))
  const shared = names.filter(name => name !== ISOLATED)
  return { gateway, host, servers: shared, programs, isolated: ISOLATED, tokens }
}

function program(name: string, more: readonly string[]): Server {
  return { command: process.execPath, args: [SERVER, '--name', name, ...more], trust: 'trusted' }
}
