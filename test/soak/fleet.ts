import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { type Gateway, readiness, type Server, startGateway } from '../support/gateway.ts'
import { address, run } from '../support/processes.ts'

export interface FleetSize {
  readonly agents: number
  readonly servers: number
}

export interface Fleet {
  readonly gateway: Gateway
  readonly servers: readonly string[]
  readonly tokens: readonly string[]
  /** Of the servers that are processes of their own. */
  readonly processes: number
}

const SERVER = fileURLToPath(new URL('many-servers.mjs', import.meta.url))
/** A process of Node takes some 40 MB: most servers share one, behind addresses of their own. */
const PROCESSES = 6
const STORM = ['--storm', '5000', '--burst', '40']

/** A gateway with many servers and many agents, all of them there. */
export async function startFleet({ agents, servers }: FleetSize): Promise<Fleet> {
  const processes = Math.min(PROCESSES, servers)
  const http = servers - processes
  const url = await address(run(process.execPath, [SERVER, '--http', String(http), ...STORM]))
  const entries: [string, Server][] = [
    ...Array.from({ length: processes }, (_, at): [string, Server] => [
      `stdio-${at}`,
      { command: process.execPath, args: [SERVER, '--name', `stdio-${at}`, ...STORM], trust: 'trusted' },
    ]),
    ...Array.from({ length: http }, (_, at): [string, Server] => [
      `http-${at}`,
      { url: `${url}/${at}/mcp`, type: 'http', trust: 'trusted' },
    ]),
  ]
  const tokens = Array.from({ length: agents }, () => `soak-${randomBytes(24).toString('base64url')}`)
  const scope = { permissions: ['retrieve_tools', 'read', 'write', 'destructive'], servers: ['*'] }
  const agent_tokens = Object.fromEntries(tokens.map((token, at) => [`agent-${at}`, { ...scope, token }]))
  const gateway = await startGateway({ mcpServers: Object.fromEntries(entries), agent_tokens })
  const names = entries.map(([name]) => name)
  for (const name of names) await gateway.says(readiness(name))
  return { gateway, servers: names, tokens, processes }
}
