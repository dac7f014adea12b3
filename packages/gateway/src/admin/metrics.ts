import { Counter, Gauge, Registry } from 'prom-client'
import type { Catalog } from '../catalog/catalog.ts'
import { measureCoverage } from '../catalog/coverage.ts'
import type { EventHub } from '../events/event-hub.ts'

interface MetricsSources {
  readonly hub: EventHub
  readonly catalog: Catalog
  readonly servers: () => readonly { readonly name: string; readonly state: string }[]
}

/** What `/metrics` shows. Everything is read when somebody asks, so that nobody pays for it otherwise. */
export function createMetrics({ hub, catalog, servers }: MetricsSources): Registry {
  const registry = new Registry()
  const events = new Counter({
    name: 'hintgate_events_total',
    help: 'Events by type',
    labelNames: ['type'],
    registers: [],
    collect() {
      this.reset()
      for (const [type, count] of hub.counts) this.inc({ type }, count)
    },
  })
  const tools = new Gauge({
    name: 'hintgate_tools',
    help: 'Tools by server and state of review',
    labelNames: ['server', 'state'],
    registers: [],
    collect() {
      this.reset()
      for (const { name: server } of servers()) {
        this.inc({ server, state: 'approved' }, catalog.tools(server).length)
        for (const { state } of catalog.held(server)) this.inc({ server, state })
      }
    },
  })
  const hints = new Gauge({
    name: 'hintgate_hints',
    help: 'Hints of approved tools by server and where they come from',
    labelNames: ['server', 'source'],
    registers: [],
    collect() {
      this.reset()
      for (const { name: server } of servers()) {
        const coverage = measureCoverage(catalog.tools(server).map(({ assessment }) => assessment))
        for (const [source, count] of Object.entries(coverage)) this.set({ server, source }, count)
      }
    },
  })
  const contradictions = new Gauge({
    name: 'hintgate_contradictions',
    help: 'Hints by which a tool promises what its own words deny, by server',
    labelNames: ['server'],
    registers: [],
    collect() {
      this.reset()
      for (const { name: server } of servers()) {
        const tools = [...catalog.tools(server), ...catalog.held(server)]
        this.set(
          { server },
          tools.reduce((sum, tool) => sum + tool.contradictions.length, 0),
        )
      }
    },
  })
  const up = new Gauge({
    name: 'hintgate_server_up',
    help: 'Whether a server is ready',
    labelNames: ['server'],
    registers: [],
    collect() {
      this.reset()
      for (const { name: server, state } of servers()) this.set({ server }, state === 'ready' ? 1 : 0)
    },
  })
  registry.registerMetric(events)
  registry.registerMetric(tools)
  registry.registerMetric(hints)
  registry.registerMetric(contradictions)
  registry.registerMetric(up)
  return registry
}
