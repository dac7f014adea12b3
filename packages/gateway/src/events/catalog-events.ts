import type { Catalog, CatalogTool, HeldTool } from '../catalog/catalog.ts'
import type { EventHub, EventType } from './event-hub.ts'

interface Told {
  readonly state: string
  readonly fingerprint: string
}

/** Emits an event for every tool that is new, held for review, approved or removed, but none for unchanged tools. */
export function announceCatalog(catalog: Catalog, hub: EventHub): () => void {
  const told = new Map<string, ReadonlyMap<string, Told>>()
  return catalog.onChange(({ server }) => {
    const before = told.get(server) ?? new Map<string, Told>()
    const now = new Map<string, Told>()
    for (const tool of catalog.tools(server))
      now.set(tool.name, { state: 'approved', fingerprint: tool.fingerprint })
    for (const { name, state, fingerprint } of catalog.held(server)) now.set(name, { state, fingerprint })
    told.set(server, now)
    for (const [tool, { state, fingerprint }] of now) {
      const known = before.get(tool)
      if (known?.state === state && known.fingerprint === fingerprint) continue
      hub.emit(eventFor(state, known, catalog.find(server, tool)), {
        server,
        tool,
        fingerprint,
        ...explain(catalog.findHeld(server, tool)),
      })
    }
    for (const tool of before.keys()) if (!now.has(tool)) hub.emit('tool.gone', { server, tool })
  })
}

function eventFor(state: string, known: Told | undefined, tool: CatalogTool | undefined): EventType {
  const isTightened = state === 'approved' && known?.state === 'approved' && tool !== undefined
  return isTightened ? 'tool.tightened' : (`tool.${state}` as EventType)
}

function explain(held: HeldTool | undefined): { why?: string } {
  return held?.why === undefined ? {} : { why: held.why }
}

/**
 * Maximum number of tool versions to remember. Without a limit, a server that keeps inventing versions could fill the
 * memory.
 */
const REMEMBERED = 10_000

/** Emits one alert for each version of a tool whose description contradicts the hints that its server declares. */
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
