// Converts spans and measures to the form that OpenTelemetry's exporters take. Times are milliseconds since the epoch.

import { BOUNDS, type Distribution, type Labels, type Measure } from './measure.ts'
import type { Span } from './span.ts'

export interface Origin {
  readonly resource: unknown
  readonly scope: { readonly name: string; readonly version: string }
}

const KINDS = { internal: 0, server: 1, client: 2 } as const
const UNSET = 0
const ERROR = 2
const SAMPLED = 1

/**
 * Converts a span. The numbers of the kinds are those of `@opentelemetry/api`, which might not be installed; a test
 * compares them.
 */
export function toReadableSpan(span: Span, { resource, scope }: Origin) {
  const { name, kind, traceId, id, parent, state, attributes } = span
  const traceState = state === undefined ? {} : { traceState: { serialize: () => state } }
  return {
    name,
    kind: KINDS[kind],
    spanContext: () => ({ traceId, spanId: id, traceFlags: SAMPLED, ...traceState }),
    ...(parent && {
      parentSpanContext: { traceId, spanId: parent.id, traceFlags: SAMPLED, isRemote: parent.isRemote },
    }),
    startTime: toHrTime(span.startMs),
    endTime: toHrTime(span.endMs),
    status: { code: span.isError ? ERROR : UNSET },
    attributes,
    events: span.events.map(event => ({ ...event, time: toHrTime(event.atMs) })),
    links: [],
    ended: true,
    resource,
    instrumentationScope: scope,
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  }
}

const CUMULATIVE = 1
const DOUBLE = 1
const POINT_TYPES = { histogram: 0, gauge: 2, counter: 3 } as const

export function toMetricData(measures: readonly (Measure | Distribution)[], since: number, now: number) {
  const [startTime, endTime] = [toHrTime(since), toHrTime(now)]
  return measures
    .filter(({ points }) => points.length > 0)
    .map(measure => ({
      descriptor: {
        name: measure.otel,
        description: measure.help,
        unit: measure.unit ?? '1',
        valueType: DOUBLE,
      },
      aggregationTemporality: CUMULATIVE,
      dataPointType: POINT_TYPES[measure.kind],
      isMonotonic: measure.kind === 'counter',
      dataPoints: pointsOf(measure).map(({ labels, value }) => ({
        startTime,
        endTime,
        attributes: attributesOf(labels, measure),
        value,
      })),
    }))
}

/**
 * Converts a time to seconds and nanoseconds. It is rounded down, because the nanoseconds must stay below a full
 * second.
 */
function toHrTime(ms: number): [number, number] {
  const seconds = Math.trunc(ms / 1000)
  return [seconds, Math.floor((ms - seconds * 1000) * 1e6)]
}

function pointsOf(measure: Measure | Distribution): readonly { labels: Labels; value: unknown }[] {
  if (measure.kind !== 'histogram') return measure.points
  return measure.points.map(({ labels, value: { sum, count, counts } }) => ({
    labels,
    value: { sum, count, buckets: { boundaries: [...BOUNDS], counts: [...counts] } },
  }))
}

/** Converts labels to attributes. In OpenTelemetry, all attribute names have a namespace. */
function attributesOf(labels: Labels, { otel }: Measure | Distribution): Labels {
  const own = Object.entries(labels).map(([name, value]) => [NAMES[name] ?? `hintgate.${name}`, value])
  return Object.fromEntries([...(otel.startsWith('mcp.') ? [METHOD] : []), ...own])
}

const NAMES: Readonly<Record<string, string>> = { tool: 'gen_ai.tool.name' }
const METHOD = ['mcp.method.name', 'tools/call']
