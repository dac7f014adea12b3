import type { CatalogTool } from '../../../catalog/catalog.ts'
import { wrapExchange } from '../../../exchange/wrap-exchange.ts'
import type { Toolset } from '../../../sets/toolset.ts'
import type { FrontOfServers } from '../front-of-servers.ts'

const NOTHING: FrontOfServers = {
  capabilitiesFor: () => ({}),
  handle: () => undefined,
  address: result => result,
  appAddress: () => undefined,
  callsForApps: () => new Map(),
  watch: () => () => {},
  admit: async () => undefined,
  watchResources: () => ({ uris: [], stop() {} }),
}

/**
 * Returns what a toolset offers besides tools: resources, prompts, completions and apps of the servers that it names.
 * Apps can call only tools that the set has.
 */
export function frontOfSet(set: Toolset, front: FrontOfServers): FrontOfServers {
  const has = ({ server, name }: CatalogTool) => set.contains(server, name)
  const current = () => (set.offersResources ? front : NOTHING)
  return {
    capabilitiesFor: caller => current().capabilitiesFor(caller),
    // Policies, guardrails and the audit log then know at which set the request came in.
    handle: exchange => current().handle(wrapExchange(exchange, { set: set.name })),
    address: (result, server, caller) => current().address(result, server, caller),
    appAddress: tool => (set.showsServer(tool.server) ? current().appAddress(tool) : undefined),
    callsForApps: caller => new Map([...current().callsForApps(caller)].filter(([, { tool }]) => has(tool))),
    watch: (caller, onNotification) => current().watch(caller, onNotification),
    admit: wanted => current().admit({ ...wanted, set: set.name }),
    watchResources: (caller, uris) => current().watchResources(caller, uris),
  }
}
