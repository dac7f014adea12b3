import type { Catalog } from '../catalog/catalog.ts'
import { measureCoverage } from '../catalog/coverage.ts'
import type { EventHub } from '../events/event-hub.ts'
import type { Distribution, Measure, Point } from './measure.ts'

interface MeasuredServer {
  readonly name: string
  readonly state: string
  readonly load: { readonly running: number; readonly waiting: number }
  readonly isBreakerOpen: boolean
}

interface Sources {
  readonly hub: EventHub
  readonly catalog: Catalog
  readonly servers: () => readonly MeasuredServer[]
  readonly channels: () => readonly MeasuredChannel[]
}

/** A channel that tells people about calls waiting for approval. */
interface MeasuredChannel extends Readonly<Record<(typeof NOTIFIED)[number] | 'waiting', number>> {
  readonly channel: string
}

const NOTIFIED = ['sent', 'failed', 'retried', 'lost'] as const

export type Gather = () => (Measure | Distribution)[]

/** Gathers all measures. They are computed on request, so they cost nothing in between. */
export function gatherMeasures({ hub, catalog, servers, channels }: Sources): (Measure | Distribution)[] {
  const all = servers()
  return [
    {
      name: 'hintgate_events_total',
      otel: 'hintgate.events',
      help: 'Events by type',
      kind: 'counter',
      points: [...hub.counts].map(([type, value]) => ({ labels: { type }, value })),
    },
    {
      name: 'hintgate_notifications_total',
      otel: 'hintgate.notifications',
      help: 'Messages about calls that wait for approval, by channel and result; a message is lost if the queue is full',
      kind: 'counter',
      points: channels().flatMap(one =>
        NOTIFIED.map(result => ({ labels: { channel: one.channel, result }, value: one[result] })),
      ),
    },
    gauge(
      ['notifications_waiting', 'Messages that wait to be sent, by channel'],
      channels().map(({ channel, waiting }) => ({ labels: { channel }, value: waiting })),
    ),
    gauge(
      ['tools', 'Tools by server and review state'],
      all.flatMap(server => countTools(server, catalog)),
    ),
    gauge(
      ['hints', 'Hints of approved tools by server and source'],
      all.flatMap(server => countHints(server, catalog)),
    ),
    ...OF_SERVERS.map(([name, help, measure]) =>
      gauge(
        [name, help],
        all.map(server => ({ labels: { server: server.name }, value: measure(server, catalog) })),
      ),
    ),
  ]
}

type Counted = readonly [name: string, help: string, (server: MeasuredServer, catalog: Catalog) => number]

const OF_SERVERS: readonly Counted[] = [
  [
    'contradictions',
    "Hints that contradict their tool's name or description, by server",
    countContradictions,
  ],
  ['server_up', '1 if the server is ready, otherwise 0', ({ state }) => (state === 'ready' ? 1 : 0)],
  ['server_running', 'Calls running at the server', ({ load }) => load.running],
  ['server_waiting', 'Calls waiting for the server', ({ load }) => load.waiting],
  [
    'server_breaker_open',
    '1 if the circuit breaker is open after repeated failures, otherwise 0',
    ({ isBreakerOpen }) => (isBreakerOpen ? 1 : 0),
  ],
]

function gauge([name, help]: readonly [string, string], points: readonly Point[]): Measure {
  return {
    name: `hintgate_${name}`,
    otel: `hintgate.${name.replaceAll('_', '.')}`,
    help,
    kind: 'gauge',
    points,
  }
}

function countTools({ name: server }: MeasuredServer, catalog: Catalog): Point[] {
  const counts = new Map([['approved', catalog.tools(server).length]])
  for (const { state } of catalog.held(server)) counts.set(state, (counts.get(state) ?? 0) + 1)
  return [...counts].map(([state, value]) => ({ labels: { server, state }, value }))
}

function countHints({ name: server }: MeasuredServer, catalog: Catalog): Point[] {
  const coverage = measureCoverage(catalog.tools(server).map(({ assessment }) => assessment))
  return Object.entries(coverage).map(([source, value]) => ({ labels: { server, source }, value }))
}

function countContradictions({ name: server }: MeasuredServer, catalog: Catalog): number {
  const tools = [...catalog.tools(server), ...catalog.held(server)]
  return tools.reduce((sum, tool) => sum + tool.contradictions.length, 0)
}
