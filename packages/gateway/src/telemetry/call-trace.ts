import type { OutcomeEntry } from '../audit/entry.ts'
import type { Forwarded } from '../call/forward.ts'
import { STEPS, type Steps } from '../call/steps.ts'
import type { IncomingCall } from '../exchange/incoming-call.ts'
import { isJsonObject, type Json } from '../protocol/messages.ts'
import { randomId, type TraceContext, writeTraceContext } from '../protocol/trace-context.ts'
import { callAttributes, errorTypeOf, forwardAttributes, nameOf } from './call-attributes.ts'
import type { Attributes, Span, SpanEvent } from './span.ts'

const NONE: Attributes = {}

type Begun = Pick<Span, 'name' | 'kind' | 'id' | 'startMs'> & Partial<Span>

/** The spans of one call: one for the whole call, and one for each step that is wrapped. */
export class CallTrace {
  readonly traceId: string
  readonly id = randomId(8)
  readonly #call: IncomingCall
  readonly #parent: TraceContext | undefined
  readonly #startMs = Date.now()
  readonly #startedAt = performance.now()
  readonly #spans: Span[] = []
  #entry: OutcomeEntry | undefined

  constructor(call: IncomingCall, parent: TraceContext | undefined) {
    this.#call = call
    this.#parent = parent
    this.traceId = parent?.traceId ?? randomId(16)
  }

  /** The trace context that requests on behalf of this call have as their parent. */
  get context(): TraceContext {
    return { traceId: this.traceId, spanId: this.id, isSampled: true, state: this.#parent?.state }
  }

  note(entry: OutcomeEntry): void {
    this.#entry = entry
  }

  readonly steps: Steps = {
    decide: (facts, rules) => {
      const begun = this.#begin('hintgate.decide')
      const decision = STEPS.decide(facts, rules)
      this.#add({ ...begun, attributes: { 'hintgate.verdict': decision.verdict } })
      return decision
    },
    confirm: (classified, decision, means) => {
      const begun = this.#begin('hintgate.confirm')
      const confirmed = STEPS.confirm(classified, decision, means)
      // A call that needed no approval gets no span for the approval.
      return confirmed instanceof Promise ? this.#follow(confirmed, begun) : confirmed
    },
    forward: (exchange, request) => {
      const events: SpanEvent[] = []
      const begun: Begun = {
        ...this.#begin(`${request.method} ${String(request.params?.name)}`, 'client'),
        attributes: forwardAttributes(request),
        events,
      }
      return this.#follow(STEPS.forward(exchange, this.#aim(request, begun.id, events)), begun)
    },
    inspect: (reply, classified, inspection) => {
      const begun = this.#begin('hintgate.inspect')
      const inspected = STEPS.inspect(reply, classified, inspection)
      if (inspected instanceof Promise) return this.#follow(inspected, begun)
      this.#add(begun)
      return inspected
    },
  }

  end(isFault: boolean): readonly Span[] {
    const { spanId } = this.#parent ?? {}
    const isError = isFault || (this.#entry !== undefined && errorTypeOf(this.#entry) !== undefined)
    this.#add({
      name: nameOf(this.#entry),
      kind: 'server',
      id: this.id,
      parent: spanId === undefined ? undefined : { id: spanId, isRemote: true },
      startMs: this.#startMs,
      attributes: callAttributes(this.#call, this.#entry),
      isError,
    })
    return this.#spans
  }

  /** Returns the request to the server with this trace's context, and with a listener that records every attempt. */
  #aim(request: Forwarded, id: string, events: SpanEvent[]): Forwarded {
    const context = writeTraceContext({ ...this.context, spanId: id })
    const onAttempt = (count: number): void => {
      request.onAttempt?.(count)
      if (count > 1)
        events.push({ name: 'retry', atMs: this.#now(), attributes: { 'hintgate.attempt': count } })
    }
    return {
      ...request,
      params: withMeta(request.params, context),
      headers: { ...request.headers, ...context },
      onAttempt,
    }
  }

  #begin(name: string, kind: Span['kind'] = 'internal'): Begun {
    return { name, kind, id: randomId(8), startMs: this.#now() }
  }

  #follow<T>(work: Promise<T>, begun: Begun): Promise<T> {
    return work.then(
      done => {
        this.#add(begun)
        return done
      },
      (error: unknown) => {
        this.#add({ ...begun, isError: true })
        throw error
      },
    )
  }

  #add(begun: Begun): void {
    this.#spans.push({
      traceId: this.traceId,
      parent: { id: this.id, isRemote: false },
      state: this.#parent?.state,
      endMs: this.#now(),
      attributes: NONE,
      events: [],
      isError: false,
      ...begun,
    })
  }

  #now(): number {
    return this.#startMs + (performance.now() - this.#startedAt)
  }
}

function withMeta(params: Json | undefined, more: Json): Json {
  const meta = isJsonObject(params?._meta) ? params._meta : {}
  // The caller's trace state is removed, because it belongs to a different parent.
  const { traceparent: _parent, tracestate: _state, ...rest } = meta
  return { ...params, _meta: { ...rest, ...more } }
}
