import { nearest } from '@hintgate/metadata'
import type { WireTool } from '../catalog/tool-list.ts'
import { AgentError } from '../errors.ts'
import type { Settings } from '../read-options.ts'
import { Connection } from './connection.ts'

export interface Found extends WireTool {
  readonly connection: Connection
}

interface RefreshOptions {
  readonly isForced?: boolean
}

/** All servers of an agent, and their tools by name. */
export class Connections {
  readonly #all: readonly Connection[]

  constructor(settings: Settings) {
    this.#all = Object.entries(settings.servers).map(
      ([name, server]) => new Connection(name, server, settings),
    )
  }

  /** True if every call passes through one gateway. */
  get isOneGateway(): boolean {
    return this.#all.length === 1 && this.#all.every(({ isGateway }) => isGateway)
  }

  /** Refreshes all lists that might be out of date, and returns the problems. */
  refresh(options: RefreshOptions = {}): Promise<readonly AgentError[]> {
    return refreshAll(this.#all, options)
  }

  /**
   * Returns each tool once. If several connections have a tool, a direct connection to its server takes precedence over
   * a gateway, and otherwise the first connection does.
   */
  listed(): readonly Found[] {
    const own = new Set(this.#all.filter(({ isGateway }) => !isGateway).map(({ name }) => name))
    const seen = new Map<string, Found>()
    for (const connection of this.#all)
      for (const wire of connection.tools) {
        const { id, server } = wire.tool
        const isTaken = seen.has(id) || (connection.isGateway && own.has(server))
        if (!isTaken) seen.set(id, { ...wire, connection })
      }
    return [...seen.values()]
  }

  /** Returns the current version of a tool. If the list might be out of date, it is read again first. */
  async find(id: string): Promise<Found> {
    const asked = this.#connectionsFor(id)
    const [problem] = await refreshAll(asked)
    const connection = asked.find(candidate => candidate.find(id) !== undefined)
    if (problem !== undefined && connection?.isUpToDate !== true) throw problem
    const wire = connection?.find(id)
    if (connection !== undefined && wire !== undefined) return { ...wire, connection }
    const ids = this.listed().map(({ tool }) => tool.id)
    const like = nearest(id, ids)
    const hint = like === undefined ? '' : `; did you mean ${like}?`
    throw new AgentError('unknown_tool', `Unknown tool ${JSON.stringify(id)}${hint}`, { tool: id })
  }

  async close(): Promise<void> {
    await Promise.all(this.#all.map(connection => connection.close()))
  }

  #connectionsFor(id: string): readonly Connection[] {
    const server = id.slice(0, Math.max(0, id.indexOf(':')))
    const own = this.#all.filter(({ name, isGateway }) => !isGateway && name === server)
    const asked = own.length > 0 ? own : this.#all.filter(({ isGateway }) => isGateway)
    if (asked.length > 0) return asked
    throw new AgentError('unknown_tool', `Unknown server ${JSON.stringify(server)}`, { tool: id })
  }
}

/** Refreshes all connections, and returns their problems. One server's failure does not affect the others. */
async function refreshAll(
  connections: readonly Connection[],
  options: RefreshOptions = {},
): Promise<readonly AgentError[]> {
  const asked = await Promise.allSettled(connections.map(connection => connection.refresh(options)))
  return asked.flatMap(ending => {
    if (ending.status === 'fulfilled') return []
    if (ending.reason instanceof AgentError) return [ending.reason]
    throw ending.reason
  })
}
