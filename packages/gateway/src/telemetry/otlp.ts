import type { TelemetryConfig } from '../config/config.ts'
import { Delivery } from './delivery.ts'
import type { Gather } from './gather-measures.ts'
import type {
  ExporterSettings,
  OpenTelemetry,
  Resource,
  SpanExporter,
  WrittenSpans,
} from './opentelemetry.ts'
import type { Attributes, Span } from './span.ts'
import { toMetricData } from './to-metric-data.ts'
import { type Sender, writeSpanRequest, writeSpans } from './write-spans.ts'

interface OtlpOptions {
  readonly config: TelemetryConfig
  readonly version: string
  readonly gather: Gather
  /** Told once when nothing arrives any more, and once when it does again. */
  readonly onTrouble: (line: string) => void
}

/** Calls that wait to be sent: a few megabytes, also when nobody takes them. */
const MOST_CALLS = 2048
const BATCH = 256
const DELAY_MS = 1000
const TIMEOUT_MS = 5000
/** Whoever stops the gateway does not wait longer for a receiver that may be gone. */
const CLOSE_MS = 3000
const SAMPLED = { traceFlags: 1 }

/** Sends spans and measures to a collector by OTLP over HTTP. */
export class Otlp {
  readonly #spans: InstanceType<OpenTelemetry['BatchSpanProcessor']>
  readonly #metrics: InstanceType<OpenTelemetry['PeriodicExportingMetricReader']>
  readonly #resource: Resource

  constructor(otel: OpenTelemetry, { config, version, gather, onTrouble }: OtlpOptions) {
    const delivery = new Delivery(onTrouble)
    const scope = { name: 'hintgate', version }
    const resource = describeService(otel, version)
    this.#resource = resource
    this.#spans = new otel.BatchSpanProcessor(
      delivery.watch(createSpanExporter(otel, config, { resource: attributesOf(resource), scope })),
      { maxQueueSize: MOST_CALLS, maxExportBatchSize: BATCH, scheduledDelayMillis: DELAY_MS },
    )
    this.#metrics = new otel.PeriodicExportingMetricReader({
      exporter: delivery.watch(new otel.OTLPMetricExporter(settingsOf(config, 'metrics'))),
      exportIntervalMillis: config.metricsEveryMs,
      exportTimeoutMillis: Math.min(TIMEOUT_MS, config.metricsEveryMs),
    })
    const since = Date.now()
    this.#metrics.setMetricProducer({
      collect: async () => {
        const metrics = toMetricData(gather(), since, Date.now())
        return { resourceMetrics: { resource, scopeMetrics: [{ scope, metrics }] }, errors: [] }
      },
    })
  }

  /** The spans of one call. */
  readonly addSpans = (spans: readonly Span[]): void => {
    this.#spans.onEnd({ text: writeSpans(spans), resource: this.#resource, spanContext: () => SAMPLED })
  }

  /** Sends what is left; never rejects, and never takes long. */
  async close(): Promise<void> {
    let timer: NodeJS.Timeout | undefined
    const patience = new Promise(resolve => {
      timer = setTimeout(resolve, CLOSE_MS)
    })
    await Promise.race([Promise.allSettled([this.#spans.shutdown(), this.#metrics.shutdown()]), patience])
    clearTimeout(timer)
  }
}

/** As OpenTelemetry's own exporter of spans is made, but for the encoder. */
function createSpanExporter(otel: OpenTelemetry, config: TelemetryConfig, sender: Sender): SpanExporter {
  const headers = { 'Content-Type': 'application/json' }
  const options = otel.convertLegacyHttpOptions(settingsOf(config, 'traces'), 'TRACES', 'v1/traces', headers)
  const serializer = {
    serializeRequest: (items: readonly WrittenSpans[]) =>
      Buffer.from(
        writeSpanRequest(
          items.map(({ text }) => text),
          sender,
        ),
      ),
    deserializeResponse: (bytes: Uint8Array): unknown =>
      bytes.length === 0 ? {} : JSON.parse(Buffer.from(bytes).toString('utf8')),
  }
  const helper = { name: 'span', countItems: (items: readonly unknown[]) => items.length }
  return otel.createOtlpHttpExportDelegate(options, serializer, 'hintgate_exporter', helper, undefined)
}

function settingsOf({ otlp, headers }: TelemetryConfig, signal: string): ExporterSettings {
  const common = { headers: { ...headers }, timeoutMillis: TIMEOUT_MS, concurrencyLimit: 4 }
  return otlp === undefined ? common : { ...common, url: `${otlp.replace(/\/+$/, '')}/v1/${signal}` }
}

/** `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES` go before what we say of ourselves. */
function describeService(otel: OpenTelemetry, version: string): Resource {
  const own = otel.resourceFromAttributes({ 'service.name': 'hintgate', 'service.version': version })
  return own.merge(otel.detectResources({ detectors: [otel.envDetector] }))
}

function attributesOf({ attributes }: Resource): Attributes {
  return Object.fromEntries(Object.entries(attributes).map(([key, value]) => [key, String(value)]))
}
