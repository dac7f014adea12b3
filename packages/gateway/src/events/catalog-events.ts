import type { Catalog, CatalogTool, HeldTool } from '../catalog/catalog.ts'
import type { EventHub, EventType } from './event-hub.ts'

/** What was known of one tool when it was last told of. */
interface Told {
  readonly state: string
  readonly fingerprint: string
}

/** Tells of every tool that is new, held, approved or gone; a server that repeats itself is told of once. */
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
