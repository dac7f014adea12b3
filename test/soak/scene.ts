import { Agent, type IncomingMessage } from 'node:http'
import type { Headers } from '../support/raw-mcp.ts'
import type { Fleet } from './fleet.ts'
import { post } from './post.ts'
import type { Mark, Tally } from './tally.ts'

const VARIANTS = { read: 'read', write: 'write', destroy: 'destructive' } as const
const VERSION = '2026-07-28'
export const META = {
  'io.modelcontextprotocol/protocolVersion': VERSION,
  'io.modelcontextprotocol/clientCapabilities': {},
}
/** Shorter than the gateway's keep-alive, so that no connection is closed while it is used. */
const KEEP_MS = 15_000

interface Call extends Mark {
  readonly path: string
  readonly name: string
  readonly body: string
}

interface Sending {
  readonly method?: string
  readonly body?: string
  readonly headers?: Headers
  readonly signal?: AbortSignal
  onHeaders?(response: IncomingMessage): void
}

/** The clients, their targets and the results. */
export class Scene {
  readonly fleet: Fleet
  readonly tally: Tally
  readonly random: () => number
  /** Each agent has its own connections. */
  readonly #connections = new Map<string, Agent>()

  constructor(fleet: Fleet, tally: Tally, random: () => number) {
    this.fleet = fleet
    this.tally = tally
    this.random = random
  }

  pick<T>(items: readonly T[]): T {
    return items[Math.floor(this.random() * items.length)] as T
  }

  somebody(): string {
    return this.pick(this.fleet.tokens)
  }

  /** A tool call on one of the surfaces. */
  someCall(more: Readonly<Record<string, unknown>> = {}): Call {
    const mark = this.tally.nextMark()
    const server = this.pick(this.fleet.servers)
    const tool = this.pick(['read', 'read', 'write', 'destroy'] as const)
    const args = { mark, ...more }
    const [path, name, given] = this.pick([
      [`/mcp/servers/${server}`, tool, args],
      ['/mcp/direct', `${server}__${tool}`, args],
      ['/mcp', `call_tool_${VARIANTS[tool]}`, { name: `${server}:${tool}`, args }],
    ] as const)
    const params = { name, arguments: given, _meta: META }
    // All calls have the same id.
    const body = JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'tools/call', params })
    return { path, name, body, mark, server }
  }

  send(token: string, path: string, sending: Sending): Promise<string> {
    const { headers, ...rest } = sending
    return post(`${this.fleet.gateway.url}${path}`, {
      ...rest,
      agent: this.#connectionsOf(token),
      headers: { ...headers, authorization: `Bearer ${token}` },
    })
  }

  /** Closes the connections of all agents. */
  leave(): void {
    for (const agent of this.#connections.values()) agent.destroy()
    this.#connections.clear()
  }

  #connectionsOf(token: string): Agent {
    const known = this.#connections.get(token)
    if (known !== undefined) return known
    const agent = new Agent({ keepAlive: true, maxSockets: 4, timeout: KEEP_MS })
    this.#connections.set(token, agent)
    return agent
  }
}

/** The headers of a modern client. */
export function headersOf(method: string, name?: string): Headers {
  return {
    'mcp-protocol-version': VERSION,
    'mcp-method': method,
    ...(name === undefined ? {} : { 'mcp-name': name }),
  }
}
