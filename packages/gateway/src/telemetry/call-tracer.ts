import type { OutcomeEntry } from '../audit/entry.ts'
import { STEPS, type Steps, type Watch } from '../call/steps.ts'
import type { IncomingCall } from '../exchange/incoming-call.ts'
import type { Outcome } from '../exchange/outcome.ts'
import { isJsonObject } from '../protocol/messages.ts'
import { parseTraceContext, readTraceContext, type TraceContext } from '../protocol/trace-context.ts'
import { CallTrace } from './call-trace.ts'
import type { Span } from './span.ts'

interface TracerDeps {
  readonly perSecond: number
  readonly onSpans: (spans: readonly Span[]) => void
}

export class CallTracer {
  readonly #deps: TracerDeps
  readonly #budget: TraceBudget
  /** Calls that are running, by request id. */
  readonly #open = new Map<string, CallTrace>()
  /** How many calls were not traced because of the limit. */
  skipped = 0

  constructor(deps: TracerDeps) {
    this.#deps = deps
    this.#budget = new TraceBudget(deps.perSecond)
  }

  readonly watch: Watch = (call, walk) => {
    const trace = this.#begin(call)
    return trace === undefined ? walk(STEPS) : this.#follow(trace, call.exchange.requestId, walk)
  }

  /** Called with the outcome that is recorded in the audit log, before the call is answered. */
  note(entry: OutcomeEntry): void {
    this.#open.get(entry.call.requestId)?.note(entry)
  }

  /** Begins a call's trace. A call that is not traced keeps the trace context that it arrived with. */
  #begin(call: IncomingCall): CallTrace | undefined {
    const parent = this.#parentOf(call)
    if (parent?.isSampled === false) return undefined
    if (this.#budget.take(performance.now())) return new CallTrace(call, parent)
    this.skipped += 1
    return undefined
  }

  #parentOf({ params, exchange }: IncomingCall): TraceContext | undefined {
    const said = readTraceContext(params)
    if (said !== undefined || this.#open.size === 0) return said
    // A preview's request id is its call's id plus a suffix.
    const { requestId } = exchange
    return this.#open.get(requestId.slice(0, Math.max(0, requestId.lastIndexOf('.'))))?.context
  }

  async #follow(
    trace: CallTrace,
    requestId: string,
    walk: (steps: Steps) => Promise<Outcome>,
  ): Promise<Outcome> {
    this.#open.set(requestId, trace)
    let isFault = true
    try {
      const outcome = await walk(trace.steps)
      isFault = false
      return outcome
    } finally {
      this.#open.delete(requestId)
      this.#deps.onSpans(trace.end(isFault))
    }
  }
}

/**
 * Copies the trace context from the HTTP headers into a message that has none, so no other code needs the headers. A
 * batch is left unchanged, because its messages may belong to different traces.
 */
export function adoptTraceHeader(body: unknown, rawHeaders: readonly string[]): unknown {
  const parent = findHeader(rawHeaders, 'traceparent')
  if (parent === undefined || !isJsonObject(body) || typeof body.method !== 'string') return body
  const params = isJsonObject(body.params) ? body.params : {}
  const meta = isJsonObject(params._meta) ? params._meta : {}
  if (meta.traceparent !== undefined || parseTraceContext(parent) === undefined) return body
  const { state } = parseTraceContext(parent, findHeader(rawHeaders, 'tracestate')) ?? {}
  const trace = { traceparent: parent, ...(state === undefined ? {} : { tracestate: state }) }
  return { ...body, params: { ...params, _meta: { ...meta, ...trace } } }
}

function findHeader(raw: readonly string[], name: string): string | undefined {
  for (let at = 0; at + 1 < raw.length; at += 2)
    if (raw[at]?.length === name.length && raw[at]?.toLowerCase() === name) return raw[at + 1]
  return undefined
}

/**
 * A burst of this many calls is traced completely, unless the limit per second is lower. A person who tries something
 * out makes about as many.
 */
const SMALL_BURST = 10

/**
 * Limits how many calls per second are traced. With little traffic, every call is traced. Under load, tracing every
 * call would cost more than it is worth.
 */
export class TraceBudget {
  readonly #perSecond: number
  /** The most budget that can accumulate. It is small, because a burst of calls is load too. */
  readonly #most: number
  #left: number
  #filledAt = 0

  constructor(perSecond: number) {
    this.#perSecond = perSecond
    this.#most = Math.max(Math.min(perSecond, SMALL_BURST), perSecond / 4)
    this.#left = this.#most
  }

  /** Returns true if one more call may be traced. `now` is in milliseconds of any clock. */
  take(now: number): boolean {
    const gained = ((now - this.#filledAt) / 1000) * this.#perSecond
    this.#filledAt = now
    this.#left = Math.min(this.#most, this.#left + Math.max(0, gained))
    if (this.#left < 1) return false
    this.#left -= 1
    return true
  }
}
