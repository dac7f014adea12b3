import { randomFillSync } from 'node:crypto'
import { isJsonObject, type Json } from './messages.ts'

/** Where in somebody's trace a request stands (W3C Trace Context). */
export interface TraceContext {
  readonly traceId: string
  readonly spanId: string
  readonly isSampled: boolean
  /** What tracing systems tell each other, handed on as it came. */
  readonly state?: string | undefined
}

const TRACEPARENT = /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(?:$|-)/
const NOTHING = /^0+$/
const STATE = /^[\x20-\x7e]{1,512}$/
const SAMPLED = 1

/** Undefined where there is none, or one that breaks the rules: such a trace is begun anew. */
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

/** MCP carries it in `_meta`, under the names that HTTP has for it (SEP-414). */
export function readTraceContext(params: Json | undefined): TraceContext | undefined {
  const meta = params?._meta
  return isJsonObject(meta) ? parseTraceContext(meta.traceparent, meta.tracestate) : undefined
}

/** The same as `_meta` or as headers. */
export function writeTraceContext({
  traceId,
  spanId,
  isSampled,
  state,
}: TraceContext): Record<string, string> {
  const traceparent = `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`
  return state === undefined ? { traceparent } : { traceparent, tracestate: state }
}

/** Random bytes are cheap in large amounts only. */
const pool = Buffer.alloc(4096)
let used = pool.length

/** An id of a trace (16 bytes) or of a span (8 bytes). */
export function randomId(bytes: 8 | 16): string {
  if (used + bytes > pool.length) {
    randomFillSync(pool)
    used = 0
  }
  used += bytes
  return pool.toString('hex', used - bytes, used)
}
