import type { OtherDefinitions } from '../catalog/other-definitions.ts'
import { UiAddresses } from '../inbound/surfaces/front/address.ts'
import { Front } from '../inbound/surfaces/front/front.ts'
import { ServerItems } from '../inbound/surfaces/front/list-items.ts'
import { ServerLists } from '../inbound/surfaces/front/server-lists.ts'
import type { View } from '../inbound/surfaces/front/view.ts'
import type { MountedServers } from './mounted-servers.ts'
import type { Corridor } from './wire-corridor.ts'

interface FrontsDeps {
  readonly corridor: Corridor
  /** The key from which all other secrets are derived. */
  readonly key: Buffer
  readonly others: OtherDefinitions
  readonly servers: () => Pick<MountedServers, 'all' | 'surfaceOf'>
  readonly serverInfo: { readonly name: string; readonly version: string }
}

export interface Fronts {
  /** Creates the resources and prompts of an endpoint that shows the servers of a view. */
  create(view: View): Front
  /** Takes what a server announces, for all endpoints. */
  readonly announce: ServerLists['announce']
}

/** All endpoints share the lists of the servers, so each server is asked once. */
export function createFronts({ corridor, key, others, servers, serverInfo }: FrontsDeps): Fronts {
  const lists = new ServerLists({ now: () => performance.now(), pause })
  const items = new ServerItems({ ...corridor, others, lists, pause })
  const apps = new UiAddresses(key)
  const deps = {
    ...corridor,
    others,
    lists,
    items,
    apps,
    serverInfo,
    servers: () => servers().all,
    surfaceOf: (name: string) => servers().surfaceOf(name),
  }
  return {
    create: view => new Front(deps, view),
    announce: (server, news) => lists.announce(server, news),
  }
}

function pause(ms: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, ms).unref())
}
