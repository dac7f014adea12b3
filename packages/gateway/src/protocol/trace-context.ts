import { randomFillSync } from 'node:crypto'
import { isJsonObject, type Json } from './messages.ts'

/** The position of a request in the caller's trace (W3C Trace Context). */
export interface TraceContext {
  readonly traceId: string
  readonly spanId: string
  readonly isSampled: boolean
  /** The vendor-specific `tracestate`, which is forwarded unchanged. */
  readonly state?: string | undefined
}

const TRACEPARENT = /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(?:$|-)/
const NOTHING = /^0+$/
const STATE = /^[\x20-\x7e]{1,512}$/
const SAMPLED = 1

/** Parses a trace context. Returns undefined if it is missing or invalid; a new trace then starts. */
export function parseTraceContext(parent: unknown, state?: unknown): TraceContext | undefined {
  if (typeof parent !== 'string' || parent.length > 512) return undefined
  const [, version, traceId = '0', spanId = '0', flags = ''] = TRACEPARENT.exec(parent) ?? []
  if (version === 'ff' || (version === '00' && parent.length !== 55)) return undefined
  if (NOTHING.test(traceId) || NOTHING.test(spanId)) return undefined
  return {
    traceId,
    spanId,
    isSampled: (Number.parseInt(flags, 16) & SAMPLED) !== 0,
    state: typeof state === 'string' && STATE.test(state) ? state : undefined,
  }
}

/** Reads the trace context of an MCP request from `_meta`, where it has the names of the HTTP headers (SEP-414). */
export function readTraceContext(params: Json | undefined): TraceContext | undefined {
  const meta = params?._meta
  return isJsonObject(meta) ? parseTraceContext(meta.traceparent, meta.tracestate) : undefined
}

/** Returns the trace context as members for `_meta`. They have the same names as the HTTP headers. */
export function writeTraceContext({
  traceId,
  spanId,
  isSampled,
  state,
}: TraceContext): Record<string, string> {
  const traceparent = `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`
  return state === undefined ? { traceparent } : { traceparent, tracestate: state }
}

/** A pool of random bytes, because generating a few at a time is expensive. */
const pool = Buffer.alloc(4096)
let used = pool.length

/** Returns a random id for a trace (16 bytes) or a span (8 bytes). */
export function randomId(bytes: 8 | 16): string {
  if (used + bytes > pool.length) {
    randomFillSync(pool)
    used = 0
  }
  used += bytes
  return pool.toString('hex', used - bytes, used)
}
