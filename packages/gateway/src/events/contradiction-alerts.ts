import type { Catalog } from '../catalog/catalog.ts'
import type { EventHub } from './event-hub.ts'

/** So many versions are remembered as told; a server that makes up new ones all the time must not fill the memory. */
const REMEMBERED = 10_000

/** Raises an alert for every version of a tool whose promises its own words deny, once however often it returns. */
export function alertContradictions(
  catalog: Pick<Catalog, 'onChange' | 'tools' | 'held'>,
  hub: EventHub,
): () => void {
  const told = new Set<string>()
  return catalog.onChange(({ server }) => {
    for (const { name, fingerprint, contradictions } of [...catalog.tools(server), ...catalog.held(server)]) {
      const key = JSON.stringify([server, name, fingerprint])
      if (contradictions.length === 0 || told.has(key)) continue
      told.add(key)
      for (const { hint, text } of contradictions)
        hub.emit('alert.contradiction', { server, tool: name, fingerprint, hint, text })
    }
    for (const oldest of told) {
      if (told.size <= REMEMBERED) break
      told.delete(oldest)
    }
  })
}
