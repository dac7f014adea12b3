import { BOUNDS, type Distribution, type Labels, type Measure } from './measure.ts'

const CUMULATIVE = 1
const DOUBLE = 1
const POINT_TYPES = { histogram: 0, gauge: 2, counter: 3 } as const

/** Our measures in the shape that OpenTelemetry's exporters take. Times are in milliseconds since the epoch. */
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

/** Seconds, and nanoseconds beyond them. */
function toHrTime(ms: number): [number, number] {
  const seconds = Math.trunc(ms / 1000)
  return [seconds, Math.round((ms - seconds * 1000) * 1e6)]
}

function pointsOf(measure: Measure | Distribution): readonly { labels: Labels; value: unknown }[] {
  if (measure.kind !== 'histogram') return measure.points
  return measure.points.map(({ labels, value: { sum, count, counts } }) => ({
    labels,
    value: { sum, count, buckets: { boundaries: [...BOUNDS], counts: [...counts] } },
  }))
}

/** In OpenTelemetry a name belongs to somebody. */
function attributesOf(labels: Labels, { otel }: Measure | Distribution): Labels {
  const own = Object.entries(labels).map(([name, value]) => [NAMES[name] ?? `hintgate.${name}`, value])
  return Object.fromEntries([...(otel.startsWith('mcp.') ? [METHOD] : []), ...own])
}

const NAMES: Readonly<Record<string, string>> = { tool: 'gen_ai.tool.name' }
const METHOD = ['mcp.method.name', 'tools/call']
