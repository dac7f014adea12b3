import type { OutcomeEntry } from '../audit/entry.ts'
import { STEPS, type Steps, type Watch } from '../call/steps.ts'
import type { IncomingCall } from '../exchange/incoming-call.ts'
import type { Outcome } from '../exchange/outcome.ts'
import { readTraceContext, type TraceContext } from '../protocol/trace-context.ts'
import { CallTrace } from './call-trace.ts'
import type { Span } from './span.ts'
import { TraceBudget } from './trace-budget.ts'

interface TracerDeps {
  readonly perSecond: number
  readonly onSpans: (spans: readonly Span[]) => void
}

/** Looks on while calls walk the corridor, and makes spans of what it sees. */
export class CallTracer {
  readonly #deps: TracerDeps
  readonly #budget: TraceBudget
  /** Calls under way, by request id. */
  readonly #open = new Map<string, CallTrace>()
  /** How many calls were not traced because there were too many. */
  skipped = 0

  constructor(deps: TracerDeps) {
    this.#deps = deps
    this.#budget = new TraceBudget(deps.perSecond)
  }

  readonly watch: Watch = (call, walk) => {
    const trace = this.#begin(call)
    return trace === undefined ? walk(STEPS) : this.#follow(trace, call.exchange.requestId, walk)
  }

  /** How a call ended, in the words of the audit log; it comes before the call is answered. */
  note(entry: OutcomeEntry): void {
    this.#open.get(entry.call.requestId)?.note(entry)
  }

  /** A call that is not traced is forwarded as it came, with whatever context it brought. */
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
    // A preview is made for a call that waits for it, and has that call's id with more behind it.
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
