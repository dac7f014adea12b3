import { createRequire } from 'node:module'
import { HintgateError } from '../base/errors.ts'

const require = createRequire(import.meta.url)

/**
 * What we use of OpenTelemetry's packages, in our own words: they weigh 33 MB, are installed by those who want them, and
 * must not be needed to build. A test holds these shapes against the real ones.
 */
export interface OpenTelemetry {
  readonly createOtlpHttpExportDelegate: (
    options: unknown,
    serializer: Serializer,
    name: string,
    helper: { readonly name: string; readonly countItems: (items: readonly unknown[]) => number },
    meters: undefined,
  ) => SpanExporter
  readonly convertLegacyHttpOptions: (
    settings: ExporterSettings,
    signal: string,
    path: string,
    headers: Record<string, string>,
  ) => unknown
  readonly OTLPMetricExporter: new (settings: ExporterSettings) => MetricExporter
  readonly BatchSpanProcessor: new (exporter: SpanExporter, settings: BatchSettings) => SpanProcessor
  readonly PeriodicExportingMetricReader: new (settings: ReaderSettings) => MetricReader
  readonly resourceFromAttributes: (attributes: Readonly<Record<string, string>>) => Resource
  readonly detectResources: (settings: { readonly detectors: readonly unknown[] }) => Resource
  readonly envDetector: unknown
}

export interface ExporterSettings {
  /** Absent: as the environment says. */
  readonly url?: string
  readonly headers: Record<string, string>
  readonly timeoutMillis: number
  readonly concurrencyLimit: number
}

export interface Resource {
  readonly attributes: Readonly<Record<string, unknown>>
  merge(other: Resource): Resource
}

export interface ExportResult {
  /** 0: delivered. */
  readonly code: number
  readonly error?: Error
}

/** The spans of one call, written already; the rest is what a processor of spans looks at. */
export interface WrittenSpans {
  readonly text: string
  readonly resource: Resource
  spanContext(): { readonly traceFlags: number }
}

interface Serializer {
  serializeRequest(items: readonly WrittenSpans[]): Uint8Array
  deserializeResponse(bytes: Uint8Array): unknown
}

export interface SpanExporter {
  export(spans: readonly WrittenSpans[], done: (result: ExportResult) => void): void
  shutdown(): Promise<void>
}

interface MetricExporter {
  export(metrics: unknown, done: (result: ExportResult) => void): void
  shutdown(): Promise<void>
}

interface BatchSettings {
  readonly maxQueueSize: number
  readonly maxExportBatchSize: number
  readonly scheduledDelayMillis: number
}

interface SpanProcessor {
  onEnd(spans: WrittenSpans): void
  shutdown(): Promise<void>
}

interface ReaderSettings {
  readonly exporter: MetricExporter
  readonly exportIntervalMillis: number
  readonly exportTimeoutMillis: number
}

interface MetricReader {
  setMetricProducer(producer: { collect(): Promise<unknown> }): void
  shutdown(): Promise<void>
}

/** What we take from where, and the version that we know it of: those below 1 change as they like. */
const PACKAGES: readonly (readonly [name: string, version: string, entry?: string])[] = [
  ['@opentelemetry/api', '1.9.1'],
  ['@opentelemetry/sdk-trace-base', '2.12.0'],
  ['@opentelemetry/sdk-metrics', '2.12.1'],
  ['@opentelemetry/resources', '2.12.1'],
  ['@opentelemetry/otlp-exporter-base', '0.223.0', '/node-http'],
  ['@opentelemetry/exporter-metrics-otlp-http', '0.223.0'],
]

export const INSTALL = `npm install ${PACKAGES.map(([name, version]) => `${name}@${version}`).join(' ')}`

/** Loaded only when somebody wants them: most gateways never do. */
export async function loadOpenTelemetry(
  load: (name: string) => object | Promise<object> = name => require(name) as object,
): Promise<OpenTelemetry> {
  try {
    const loaded = await Promise.all(PACKAGES.map(async ([name, , entry = '']) => load(`${name}${entry}`)))
    return Object.assign({}, ...loaded) as OpenTelemetry
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error
    throw new HintgateError('telemetry_missing', { command: INSTALL }, { cause: error })
  }
}
