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
 * Returns what a toolset offers beside its tools: resources, prompts and completions of the servers that it names. Apps
 * are left out, because they call tools by names that the set does not use.
 */
export function frontOfSet(set: Toolset, front: FrontOfServers): FrontOfServers {
  const current = () => (set.offersResources ? front : NOTHING)
  return {
    capabilitiesFor: caller => current().capabilitiesFor(caller),
    handle: exchange => current().handle(exchange),
    address: (result, server, caller) => current().address(result, server, caller),
    appAddress: () => undefined,
    callsForApps: () => new Map(),
    watch: (caller, onNotification) => current().watch(caller, onNotification),
    admit: wanted => current().admit(wanted),
    watchResources: (caller, uris) => current().watchResources(caller, uris),
  }
}
