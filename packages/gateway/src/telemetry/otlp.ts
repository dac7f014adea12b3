import type { TelemetryConfig } from '../config/config.ts'
import type { Gather } from './gather-measures.ts'
import type { Exporter, ExporterSettings, ExportResult, OpenTelemetry, Resource } from './opentelemetry.ts'
import type { Attributes, Span } from './span.ts'
import { type Origin, toMetricData, toReadableSpan } from './to-otlp.ts'

interface OtlpOptions {
  readonly config: TelemetryConfig
  readonly version: string
  readonly gather: Gather
  /** Called when deliveries begin to fail, and again when they succeed. */
  readonly onTrouble: (line: string) => void
}

/**
 * Maximum number of spans that wait to be sent, enough for about two thousand calls. They take a few megabytes, even if
 * the collector accepts nothing.
 */
const MOST_SPANS = 8192
const BATCH = 1024
const DELAY_MS = 1000
const TIMEOUT_MS = 5000
/** How long a gateway that is stopping waits for a collector, which might be gone. */
const CLOSE_MS = 3000

export class Otlp {
  readonly #spans: InstanceType<OpenTelemetry['BatchSpanProcessor']>
  readonly #metrics: InstanceType<OpenTelemetry['PeriodicExportingMetricReader']>
  readonly #origin: Origin

  constructor(otel: OpenTelemetry, { config, version, gather, onTrouble }: OtlpOptions) {
    const delivery = new Delivery(onTrouble)
    const scope = { name: 'hintgate', version }
    const resource = describeService(otel, version)
    this.#origin = { resource, scope }
    this.#spans = new otel.BatchSpanProcessor(
      delivery.watch(new otel.OTLPTraceExporter(settingsOf(config, 'traces'))),
      { maxQueueSize: MOST_SPANS, maxExportBatchSize: BATCH, scheduledDelayMillis: DELAY_MS },
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

  readonly addSpans = (spans: readonly Span[]): void => {
    for (const span of spans) this.#spans.onEnd(toReadableSpan(span, this.#origin))
  }

  /** Sends the remaining data. It never rejects, and does not take long. */
  async close(): Promise<void> {
    let timer: NodeJS.Timeout | undefined
    const patience = new Promise(resolve => {
      timer = setTimeout(resolve, CLOSE_MS)
    })
    await Promise.race([Promise.allSettled([this.#spans.shutdown(), this.#metrics.shutdown()]), patience])
    clearTimeout(timer)
  }
}

/** Remembers whether deliveries succeed, so a failing collector is reported once and not at every attempt. */
class Delivery {
  readonly #onTrouble: (line: string) => void
  #isFailing = false

  constructor(onTrouble: (line: string) => void) {
    this.#onTrouble = onTrouble
  }

  watch(exporter: Exporter): Exporter {
    const send = exporter.export.bind(exporter)
    exporter.export = (items, done) =>
      send(items, result => {
        this.#note(result)
        done(result)
      })
    return exporter
  }

  #note({ code, error }: ExportResult): void {
    const isFailing = code !== 0
    if (isFailing === this.#isFailing) return
    this.#isFailing = isFailing
    const why = error?.message === undefined || error.message === '' ? 'no reason given' : error.message
    this.#onTrouble(
      isFailing
        ? `telemetry cannot be delivered (${why}); calls are not affected`
        : 'telemetry is delivered again',
    )
  }
}

function settingsOf({ otlp, headers }: TelemetryConfig, signal: string): ExporterSettings {
  const common = { headers: { ...headers }, timeoutMillis: TIMEOUT_MS, concurrencyLimit: 4 }
  return otlp === undefined ? common : { ...common, url: `${otlp.replace(/\/+$/, '')}/v1/${signal}` }
}

/** Describes this service. `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES` override these defaults. */
function describeService(otel: OpenTelemetry, version: string): Resource {
  const own: Attributes = { 'service.name': 'hintgate', 'service.version': version }
  return otel.resourceFromAttributes(own).merge(otel.detectResources({ detectors: [otel.envDetector] }))
}
