import { createRequire } from 'node:module'
import { HintgateError } from '../base/errors.ts'

const require = createRequire(import.meta.url)

/**
 * The parts of OpenTelemetry's packages that the gateway uses. The packages take 33 MB and are installed on demand, so
 * the build must not need them. A test compares these types with the real ones.
 */
export interface OpenTelemetry {
  readonly OTLPTraceExporter: new (settings: ExporterSettings) => Exporter
  readonly OTLPMetricExporter: new (settings: ExporterSettings) => Exporter
  readonly BatchSpanProcessor: new (exporter: Exporter, settings: BatchSettings) => SpanProcessor
  readonly PeriodicExportingMetricReader: new (settings: ReaderSettings) => MetricReader
  readonly resourceFromAttributes: (
    attributes: Readonly<Record<string, string | number | boolean>>,
  ) => Resource
  readonly detectResources: (settings: { readonly detectors: readonly unknown[] }) => Resource
  readonly envDetector: unknown
}

export interface ExporterSettings {
  /** The collector's URL; if undefined, the packages read the URL from the environment. */
  readonly url?: string
  readonly headers: Record<string, string>
  readonly timeoutMillis: number
  readonly concurrencyLimit: number
}

export interface Resource {
  merge(other: Resource): Resource
}

export interface ExportResult {
  /** Zero if the data was delivered. */
  readonly code: number
  readonly error?: Error
}

/** Exports spans or metrics. */
export interface Exporter {
  export(items: unknown, done: (result: ExportResult) => void): void
  shutdown(): Promise<void>
}

interface BatchSettings {
  readonly maxQueueSize: number
  readonly maxExportBatchSize: number
  readonly scheduledDelayMillis: number
}

interface SpanProcessor {
  onEnd(span: unknown): void
  shutdown(): Promise<void>
}

interface ReaderSettings {
  readonly exporter: Exporter
  readonly exportIntervalMillis: number
  readonly exportTimeoutMillis: number
}

interface MetricReader {
  setMetricProducer(producer: { collect(): Promise<unknown> }): void
  shutdown(): Promise<void>
}

/** The packages, in the versions that were tested. Versions below 1 can change incompatibly. */
const PACKAGES = [
  ['@opentelemetry/api', '1.9.1'],
  ['@opentelemetry/sdk-trace-base', '2.12.0'],
  ['@opentelemetry/sdk-metrics', '2.12.1'],
  ['@opentelemetry/resources', '2.12.1'],
  ['@opentelemetry/exporter-trace-otlp-http', '0.223.1'],
  ['@opentelemetry/exporter-metrics-otlp-http', '0.223.0'],
] as const

export const INSTALL = `npm install ${PACKAGES.map(([name, version]) => `${name}@${version}`).join(' ')}`

/** Loads the packages, only if telemetry is configured, because most gateways never use them. */
export async function loadOpenTelemetry(
  load: (name: string) => object | Promise<object> = name => require(name) as object,
): Promise<OpenTelemetry> {
  try {
    const loaded = await Promise.all(PACKAGES.map(async ([name]) => load(name)))
    return Object.assign({}, ...loaded) as OpenTelemetry
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error
    throw new HintgateError('telemetry_missing', { command: INSTALL }, { cause: error })
  }
}
