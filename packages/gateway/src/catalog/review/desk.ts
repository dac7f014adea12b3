import type { Config } from '../../config/config.ts'
import type { Store, StoredDefinition } from '../../store/store.ts'
import { Overrides } from '../overrides.ts'
import { listItems, type ReviewItem } from './review-item.ts'

/** Everything that lies before a reviewer. */
export interface Desk {
  readonly config: Config
  readonly known: readonly StoredDefinition[]
  readonly items: readonly ReviewItem[]
  /** Servers of the config; what is known of others concerns nobody now. */
  readonly servers: ReadonlySet<string>
  readonly overrides: Overrides
}

/** What the store knows, as it stands under a config. */
export async function loadDesk(
  store: Pick<Store, 'definitions' | 'overrides'>,
  config: Config,
): Promise<Desk> {
  const known: StoredDefinition[] = []
  for (const server of await store.definitions.servers())
    known.push(...(await store.definitions.load(server)))
  const overrides = new Overrides(store.overrides)
  await overrides.load()
  const trust = new Map(config.servers.map(server => [server.name, server.trust]))
  const rules = {
    isQuarantined: config.quarantine,
    trustOf: (server: string) => trust.get(server) ?? 'reviewed',
  }
  return { config, known, items: listItems(known, rules), servers: new Set(trust.keys()), overrides }
}
