import { loadDesk } from '../../catalog/review/review-item.ts'
import { readSets } from '../../sets/read-sets.ts'
import type { Toolset } from '../../sets/toolset.ts'
import { type PlaceFlags, withStore } from '../terminal/context.ts'

const OF_SERVER = new Set<string | number>([
  ...['command', 'url', 'serverUrl', 'httpUrl'],
  ...['trust', 'enabled', 'disabled'],
])

/** Runs an action on the config's toolsets, as far as the store knows their tools. Starts no server. */
export function withSets<T>(flags: PlaceFlags, action: (sets: readonly Toolset[]) => T): Promise<T> {
  const skip = ([section, , key]: readonly (string | number)[]): boolean =>
    (section === 'mcpServers' && key !== undefined && !OF_SERVER.has(key)) || key === 'token'
  return withStore({ ...flags, skip }, async ({ store, config }) =>
    action(readSets(await loadDesk(store, config))),
  )
}
