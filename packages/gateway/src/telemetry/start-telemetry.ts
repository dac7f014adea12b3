import type { OutcomeEntry } from '../audit/entry.ts'
import type { Watch } from '../call/steps.ts'
import type { TelemetryConfig } from '../config/config.ts'
import { adoptTraceHeader, CallTracer } from './call-tracer.ts'
import type { Gather } from './gather-measures.ts'
import { type Log, logCalls } from './log.ts'
import type { Measure } from './measure.ts'
import { loadOpenTelemetry } from './opentelemetry.ts'
import { Otlp } from './otlp.ts'

/** Observes calls from outside. Nothing in the gateway depends on it. */
export interface CallObserver {
  /** Wraps the steps of a call in spans. Undefined if calls are not traced. */
  readonly watch?: Watch
  /** Copies the trace context from the HTTP headers into a message. */
  readonly adoptTrace?: (body: unknown, rawHeaders: readonly string[]) => unknown
  onOutcome(entry: OutcomeEntry): void
  readonly measures: Gather
}

interface TelemetryOptions {
  readonly config: TelemetryConfig
  readonly env: NodeJS.ProcessEnv
  readonly version: string
  readonly log: Log
  readonly gather: Gather
}

export interface Telemetry extends CallObserver {
  close(): Promise<void>
}

/** Starts telemetry. Calls are always logged. Traces and metrics are exported only if a collector is configured. */
export async function startTelemetry(options: TelemetryOptions): Promise<Telemetry> {
  const { config, env, log } = options
  const logCall = logCalls(log)
  if (!isWanted(config, env)) return { onOutcome: logCall, measures: () => [], close: async () => {} }
  const onTrouble = (line: string): void => log.say(line, { level: 'warn' })
  const otlp = new Otlp(await loadOpenTelemetry(), { ...options, onTrouble })
  const tracer = new CallTracer({ perSecond: config.tracesPerSecond, onSpans: otlp.addSpans })
  return {
    watch: tracer.watch,
    adoptTrace: adoptTraceHeader,
    onOutcome(entry: OutcomeEntry) {
      tracer.note(entry)
      logCall(entry)
    },
    measures: () => [measureSkipped(tracer)],
    close: () => otlp.close(),
  }
}

const ENDPOINTS = [
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
  'OTEL_EXPORTER_OTLP_METRICS_ENDPOINT',
]

function isWanted({ otlp }: TelemetryConfig, env: NodeJS.ProcessEnv): boolean {
  if (env.OTEL_SDK_DISABLED?.trim().toLowerCase() === 'true') return false
  return otlp !== undefined || ENDPOINTS.some(name => (env[name] ?? '') !== '')
}

function measureSkipped({ skipped }: CallTracer): Measure {
  return {
    name: 'hintgate_untraced_calls_total',
    otel: 'hintgate.untraced.calls',
    help: 'Calls that were not traced because of the limit in telemetry.tracesPerSecond',
    kind: 'counter',
    points: [{ labels: {}, value: skipped }],
  }
}
