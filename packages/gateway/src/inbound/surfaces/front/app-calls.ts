import { appOf, isFor, rendersApps } from '../../../catalog/app-of-tool.ts'
import type { Catalog, CatalogTool } from '../../../catalog/catalog.ts'
import type { Caller } from '../../../exchange/exchange.ts'
import { SEPARATOR } from '../../../protocol/server-name.ts'
import { isVisible } from '../../../search/visible.ts'
import type { AppCall } from '../front-of-servers.ts'
import type { UiAddresses } from './address.ts'
import { toolsWithApp } from './find-app.ts'

interface Deps {
  readonly catalog: Pick<Catalog, 'tools' | 'declared'>
  readonly apps: Pick<UiAddresses, 'note' | 'hasApps'>
}

/**
 * Returns what apps can call, by name. An app knows only its own server, so it uses the server's own names. Such a name
 * counts only for a host that renders apps, and only if exactly one server with an app has it.
 *
 * With apps of several servers, an app could pose as another one. Tools that are only for apps are then left out,
 * because no app may reach those of another server. A server whose tools wait or are gone still counts, because a host
 * can have its app open.
 */
export function callsForApps(
  deps: Deps,
  servers: readonly string[],
  caller: Caller,
): ReadonlyMap<string, AppCall> {
  if (!rendersApps(caller.envelope.capabilities)) return new Map()
  const withApps = servers.filter(server => toolsWithApp(deps, server, caller).length > 0)
  const possible = servers.filter(server => hasHadApps(deps, server) || withApps.includes(server))
  const isOnly = possible.length === 1
  const tools = withApps.flatMap(server =>
    deps.catalog.tools(server).filter(tool => isVisible(tool, caller) && isForAnApp(tool)),
  )
  const count = new Map<string, number>()
  for (const { name } of tools) count.set(name, (count.get(name) ?? 0) + 1)
  return new Map(
    tools
      .filter(tool => count.get(tool.name) === 1 && (isOnly || isFor('model', tool)))
      .map(tool => [tool.name, { tool, asker: isOnly ? nameApp(deps, tool, caller) : nameAny(possible) }]),
  )
}

/** Whether a server has had an app since the start of the gateway, approved or not. */
function hasHadApps({ catalog, apps }: Deps, server: string): boolean {
  if (catalog.declared(server).some(definition => appOf({ definition }) !== undefined)) apps.note(server)
  return apps.hasApps(server)
}

/** A name with the separator would read like the name of another server's tool. */
function isForAnApp(tool: CatalogTool): boolean {
  return isFor('app', tool) && !tool.name.includes(SEPARATOR)
}

function nameApp(deps: Deps, tool: CatalogTool, caller: Caller): string {
  const all = new Set(toolsWithApp(deps, tool.server, caller).map(appOf))
  const uri = appOf(tool) ?? (all.size === 1 ? [...all][0] : undefined)
  return ['app', tool.server, ...(uri === undefined ? [] : [uri])].join(' ')
}

function nameAny(servers: readonly string[]): string {
  return `an app of ${servers.join(' or ')}`
}
