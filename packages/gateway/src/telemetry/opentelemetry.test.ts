import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { SpanKind, SpanStatusCode } from '@opentelemetry/api'
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
import { toMetricData, toReadableSpan } from './to-otlp.ts'

describe("OpenTelemetry's packages", () => {
  it('export everything that the gateway imports from them', async () => {
    expect(await loadOpenTelemetry()).toMatchObject({
      OTLPTraceExporter,
      OTLPMetricExporter,
      BatchSpanProcessor,
      PeriodicExportingMetricReader,
      resourceFromAttributes,
      detectResources,
      envDetector,
    })
  })

  it('are named in an install command if they are missing', async () => {
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

  it('are requested in the versions that these tests ran with', () => {
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

const origin = {
  resource: resourceFromAttributes({ 'service.name': 'hintgate', odd: '"' }),
  scope: { name: 'hintgate', version: '0.1.0' },
}

/** Sends the spans, and returns the data that the collector received. */
async function send(spans: readonly Span[]): Promise<unknown> {
  let text = ''
  const server = createServer((req, res) => {
    req.on('data', chunk => (text += chunk)).on('end', () => res.end('{}'))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const exporter = new OTLPTraceExporter({ url, keepAlive: false })
  const readable = spans.map(span => toReadableSpan(span, origin)) as unknown as ReadableSpan[]
  await new Promise(resolve => exporter.export(readable, resolve))
  await exporter.shutdown()
  server.close()
  return JSON.parse(text)
}

const NOTHING = {
  attributes: [],
  droppedAttributesCount: 0,
  events: [],
  droppedEventsCount: 0,
  links: [],
  droppedLinksCount: 0,
  status: { code: SpanStatusCode.UNSET },
}

describe('the data sent to OpenTelemetry', () => {
  it('has the traced spans in OTLP format', async () => {
    const [remote, local] = [0x301, 0x101]
    // OTLP numbers span kinds from 1, while the API numbers them from 0.
    const kindOf = (kind: SpanKind): number => kind + 1
    expect(await send(SPANS)).toEqual({
      resourceSpans: [
        {
          resource: {
            attributes: [
              { key: 'service.name', value: { stringValue: 'hintgate' } },
              { key: 'odd', value: { stringValue: '"' } },
            ],
            droppedAttributesCount: 0,
          },
          scopeSpans: [
            {
              scope: { name: 'hintgate', version: '0.1.0' },
              spans: [
                {
                  ...NOTHING,
                  traceId: 'a'.repeat(32),
                  spanId: 'b'.repeat(16),
                  parentSpanId: 'c'.repeat(16),
                  traceState: 'vendor="1"',
                  name: 'tools/call "odd"\n\u2028 name',
                  kind: kindOf(SpanKind.SERVER),
                  startTimeUnixNano: '1790000000000250000',
                  endTimeUnixNano: '1790000001500500000',
                  attributes: [
                    { key: 'text', value: { stringValue: 'a "quoted" \\ one' } },
                    { key: 'whole', value: { intValue: 3 } },
                    { key: 'part', value: { doubleValue: 0.5 } },
                    { key: 'yes', value: { boolValue: true } },
                  ],
                  events: [
                    {
                      name: 'retry',
                      timeUnixNano: '1790000000001000000',
                      attributes: [{ key: 'attempt', value: { intValue: 2 } }],
                      droppedAttributesCount: 0,
                    },
                  ],
                  status: { code: SpanStatusCode.ERROR },
                  flags: remote,
                },
                {
                  ...NOTHING,
                  traceId: 'a'.repeat(32),
                  spanId: 'd'.repeat(16),
                  parentSpanId: 'b'.repeat(16),
                  name: 'hintgate.decide',
                  kind: kindOf(SpanKind.INTERNAL),
                  startTimeUnixNano: '1790000000000000000',
                  endTimeUnixNano: '1790000000000125000',
                  flags: local,
                },
                {
                  ...NOTHING,
                  traceId: 'e'.repeat(32),
                  spanId: 'f'.repeat(16),
                  name: 'tools/call',
                  kind: kindOf(SpanKind.CLIENT),
                  startTimeUnixNano: expect.stringMatching(/^1790000000999\d{6}$/),
                  endTimeUnixNano: '1790000001000000000',
                  flags: local,
                },
              ],
            },
          ],
        },
      ],
    })
  })

  it('has measures in the shape that the packages accept', () => {
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
