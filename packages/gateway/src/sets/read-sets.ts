import type { HeldTool } from '../catalog/catalog.ts'
import type { Desk, ReviewItem } from '../catalog/review/review-item.ts'
import { type CatalogTool, toCatalogTool } from '../catalog/to-catalog-tool.ts'
import { Toolset, type ToolsetDeps } from './toolset.ts'

/**
 * Returns the toolsets of a config as far as the store knows the servers' tools, without starting a server. A running
 * gateway has the same ones.
 */
export function readSets(desk: Desk): readonly Toolset[] {
  const deps = depsOf(desk)
  return desk.config.toolsets.map(config => {
    const set = new Toolset(config.name, deps)
    set.configure(config)
    return set
  })
}

function depsOf(desk: Desk): ToolsetDeps {
  const { config, items, known } = desk
  const servers = config.servers.filter(({ enabled }) => enabled).map(({ name }) => name)
  const listed = new Set(known.map(({ server }) => server))
  const tools = new Map(servers.map(server => [server, toolsOf(server, desk)]))
  const held = items.filter(isTool).filter(({ state }) => state !== 'approved')
  const heldOf = (server: string): readonly HeldTool[] =>
    held.filter(({ stored }) => stored.server === server).map(toHeld)
  return {
    servers: () => servers,
    catalog: {
      tools: server => tools.get(server) ?? [],
      held: heldOf,
      findHeld: (server, tool) => heldOf(server).find(({ name }) => name === tool),
      isKnown: server => listed.has(server),
      onChange: () => () => {},
    },
  }
}

function isTool({ stored }: ReviewItem): boolean {
  return stored.kind === 'tool'
}

function toolsOf(server: string, { config, items, overrides }: Desk): readonly CatalogTool[] {
  const own = items.filter(isTool).filter(({ stored }) => stored.server === server)
  const siblings = own.map(({ definition }) => definition)
  const isTrusted = config.servers.some(({ name, trust }) => name === server && trust === 'trusted')
  return own
    .filter(({ state }) => state === 'approved')
    .map(({ definition, current }) =>
      toCatalogTool(server, definition, {
        fingerprint: current.fingerprint,
        siblings,
        isVouched: isTrusted || config.quarantine || current.review?.verdict === 'approved',
        profile: config.profile,
        override: overrides.find(server, definition.name, config.overrides),
      }),
    )
}

function toHeld({ stored, current, state }: ReviewItem): HeldTool {
  const { server, name } = stored
  return {
    server,
    name,
    fingerprint: current.fingerprint,
    state: state === 'approved' ? 'pending' : state,
    contradictions: [],
  }
}
