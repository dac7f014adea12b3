import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { type HrTime, SpanKind, SpanStatusCode } from '@opentelemetry/api'
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import {
  DataPointType,
  PeriodicExportingMetricReader,
  type ResourceMetrics,
} from '@opentelemetry/sdk-metrics'
import { BatchSpanProcessor, type ReadableSpan } from '@opentelemetry/sdk-trace-base'
import { describe, expect, it } from 'vitest'
import { Durations } from './measure.ts'
import { INSTALL, loadOpenTelemetry } from './opentelemetry.ts'
import type { Span } from './span.ts'
import { toMetricData } from './to-metric-data.ts'
import { writeSpanRequest, writeSpans } from './write-spans.ts'

describe("OpenTelemetry's packages", () => {
  it('have what we take from them', async () => {
    expect(await loadOpenTelemetry()).toMatchObject({
      createOtlpHttpExportDelegate: expect.any(Function),
      convertLegacyHttpOptions: expect.any(Function),
      OTLPMetricExporter,
      BatchSpanProcessor,
      PeriodicExportingMetricReader,
      resourceFromAttributes,
      detectResources,
      envDetector,
    })
  })

  it('are asked for by the command that installs them, when they are not there', async () => {
    const missing = async (name: string): Promise<object> => {
      throw Object.assign(new Error(`no ${name}`), { code: 'MODULE_NOT_FOUND' })
    }
    await expect(loadOpenTelemetry(missing)).rejects.toMatchObject({
      code: 'telemetry_missing',
      message: expect.stringMatching(/npm install @opentelemetry\/api@\d.*@opentelemetry\/resources@\d/),
    })
    const broken = async (): Promise<object> => {
      throw new SyntaxError('damaged')
    }
    await expect(loadOpenTelemetry(broken)).rejects.toThrow('damaged')
  })

  it('are asked for in the versions that these tests ran with', () => {
    const require = createRequire(import.meta.url)
    const asked = INSTALL.split(' ').slice(2)
    expect(asked.length).toBeGreaterThan(4)
    for (const wanted of asked) {
      const [name, version] = [
        wanted.slice(0, wanted.lastIndexOf('@')),
        wanted.slice(wanted.lastIndexOf('@') + 1),
      ]
      const folder = require.resolve(name).replace(/(@opentelemetry[\\/][^\\/]+[\\/]).*/, '$1')
      expect([name, (require(`${folder}package.json`) as { version: string }).version]).toEqual([
        name,
        version,
      ])
    }
  })
})

const SPANS: readonly Span[] = [
  {
    name: 'tools/call "odd"\n\u2028 name',
    kind: 'server',
    traceId: 'a'.repeat(32),
    id: 'b'.repeat(16),
    parent: { id: 'c'.repeat(16), isRemote: true },
    state: 'vendor="1"',
    startMs: 1_790_000_000_000.25,
    endMs: 1_790_000_001_500.5,
    attributes: { text: 'a "quoted" \\ one', whole: 3, part: 0.5, yes: true },
    events: [{ name: 'retry', atMs: 1_790_000_000_001, attributes: { attempt: 2 } }],
    isError: true,
  },
  {
    name: 'hintgate.decide',
    kind: 'internal',
    traceId: 'a'.repeat(32),
    id: 'd'.repeat(16),
    parent: { id: 'b'.repeat(16), isRemote: false },
    startMs: 1_790_000_000_000,
    endMs: 1_790_000_000_000.125,
    attributes: {},
    events: [],
    isError: false,
  },
  {
    name: 'tools/call',
    kind: 'client',
    traceId: 'e'.repeat(32),
    id: 'f'.repeat(16),
    startMs: 1_790_000_000_999.999,
    endMs: 1_790_000_001_000,
    attributes: {},
    events: [],
    isError: false,
  },
]

const KINDS = { internal: SpanKind.INTERNAL, server: SpanKind.SERVER, client: SpanKind.CLIENT }
const scope = { name: 'hintgate', version: '0.1.0' }
const resource = resourceFromAttributes({ 'service.name': 'hintgate', odd: '"' })

function toTime(ms: number): HrTime {
  const whole = Math.floor(ms)
  return [Math.floor(whole / 1000), (whole % 1000) * 1e6 + Math.floor((ms - whole) * 1e6)]
}

/** As OpenTelemetry would have made it. */
function toReadable({ traceId, id, parent, state, ...span }: Span): ReadableSpan {
  const traceState = { serialize: () => state ?? '' } as NonNullable<
    ReturnType<ReadableSpan['spanContext']>['traceState']
  >
  return {
    name: span.name,
    kind: KINDS[span.kind],
    spanContext: () => ({
      traceId,
      spanId: id,
      traceFlags: 1,
      ...(state === undefined ? {} : { traceState }),
    }),
    ...(parent && {
      parentSpanContext: { traceId, spanId: parent.id, traceFlags: 1, isRemote: parent.isRemote },
    }),
    startTime: toTime(span.startMs),
    endTime: toTime(span.endMs),
    duration: [0, 0],
    status: { code: span.isError ? SpanStatusCode.ERROR : SpanStatusCode.UNSET },
    attributes: span.attributes,
    links: [],
    events: span.events.map(({ name, atMs, attributes }) => ({ name, time: toTime(atMs), attributes })),
    ended: true,
    resource,
    instrumentationScope: scope,
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  }
}

/** What OpenTelemetry's own exporter sends. */
async function sentByTheirs(spans: readonly Span[]): Promise<unknown> {
  let text = ''
  const server = createServer((req, res) => {
    req.on('data', chunk => (text += chunk)).on('end', () => res.end('{}'))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const exporter = new OTLPTraceExporter({ url, keepAlive: false })
  await new Promise(resolve => exporter.export(spans.map(toReadable), resolve))
  await exporter.shutdown()
  server.close()
  return JSON.parse(text)
}

describe('what we send', () => {
  it("is, span for span, what OpenTelemetry's own exporter would have sent", async () => {
    const sender = { resource: { 'service.name': 'hintgate', odd: '"' }, scope }
    const ours = writeSpanRequest([writeSpans(SPANS.slice(0, 1)), writeSpans(SPANS.slice(1))], sender)
    expect(JSON.parse(ours)).toEqual(await sentByTheirs(SPANS))
  })

  it('has measures in the shape that they take', () => {
    const durations = new Durations()
    durations.add(0.3)
    const data = toMetricData(
      [
        {
          name: 'a_total',
          otel: 'a',
          help: '',
          kind: 'counter',
          points: [{ labels: { tool: 'x' }, value: 2 }],
        },
        { name: 'b', otel: 'b', help: '', kind: 'gauge', points: [{ labels: {}, value: 1 }] },
        {
          name: 'c',
          otel: 'c',
          help: '',
          unit: 's',
          kind: 'histogram',
          points: [{ labels: {}, value: durations }],
        },
        { name: 'd', otel: 'd', help: '', kind: 'gauge', points: [] },
      ],
      0,
      1000,
    ) as unknown as ResourceMetrics['scopeMetrics'][number]['metrics']
    expect(data.map(({ dataPointType }) => dataPointType)).toEqual([
      DataPointType.SUM,
      DataPointType.GAUGE,
      DataPointType.HISTOGRAM,
    ])
    expect(data[0]?.dataPoints[0]).toMatchObject({ attributes: { 'gen_ai.tool.name': 'x' }, value: 2 })
    expect(data[2]?.dataPoints[0]?.value).toMatchObject({ count: 1, sum: 0.3 })
  })
})
