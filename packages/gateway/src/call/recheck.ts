import type { Outcome, Refusal } from '../exchange/outcome.ts'
import { isTouched, riskFactorsFor } from '../sessions/risk-factors.ts'
import type { Route } from '../upstream/attempt.ts'
import type { Failure, Objection } from '../upstream/channel/channel.ts'
import { type FirstJudgement, judgeAgain, refuseOtherTool } from './judge-again.ts'
import type { CallReply } from './questions-in-call.ts'

/** How long a check stays valid, in milliseconds. */
export const MOMENT_MS = 50

const HALF_DONE = 'The server may have executed a part of the call. Check that before you repeat it.'

/**
 * The failure of an attempt that `objectTo` stopped. The corridor replaces it by `#refusal`, which has more details.
 */
const OBJECTION: Failure = { kind: 'quarantined', detail: 'the tool may no longer be called', notSent: true }

/**
 * The check just before a call is sent; no other place does it. The call may have waited since it was judged: for a
 * person, its turn, a server's start, or the answer to a question. In that time its tool, the rules, its session or its
 * token may have changed.
 */
export class Recheck {
  readonly #first: FirstJudgement
  readonly #rules: string
  #judgedAt = performance.now()
  #refusal: Refusal | undefined
  /** How many times there was no objection, so that the call was sent. */
  #passed = 0

  constructor(first: FirstJudgement) {
    this.#first = first
    this.#rules = first.deps.rules().version
  }

  /** Returns the reason if the call must not be sent. `route` is the connection of the next attempt, if it is known. */
  readonly objectTo = (route?: Route): Objection => {
    const { classified, deps, server } = this.#first
    const wrongWay = route && deps.catalog.objectTo(server, classified.tool.name, route)
    if (wrongWay instanceof Promise) return wrongWay.then(failure => failure ?? this.#objectNow())
    return wrongWay ?? this.#objectNow()
  }

  /**
   * The outcome if `objectTo` stopped the call, and the number of earlier attempts, which an objection does not undo.
   */
  endOf(reply: CallReply): { readonly outcome: Outcome; readonly attempts: number } | undefined {
    const refusal = this.#refusal
    if (refusal === undefined || reply.kind !== 'failure' || reply.failure !== OBJECTION) return undefined
    const told = this.#passed === 0 ? refusal : { ...refusal, remedy: HALF_DONE }
    return { outcome: { kind: 'refused', refusal: told }, attempts: this.#passed }
  }

  async check(): Promise<Refusal | undefined> {
    if (this.#isOtherTool()) return refuseOtherTool(this.#first)
    const refusal = await judgeAgain(this.#first, this.#rules)
    // Only the absence of an objection stays valid for a moment. An objection is found again at the next check.
    if (refusal === undefined) this.#judgedAt = performance.now()
    return refusal
  }

  #objectNow(): Objection {
    if (this.#isAsJudged() || this.#isOtherTool()) return this.#note(this.#refuseOtherTool())
    return this.check().then(refusal => this.#note(refusal ?? this.#refuseOtherTool()))
  }

  /** Whether nothing has changed since the call was judged, as far as is known without waiting. */
  #isAsJudged(): boolean {
    const { record, factors, deps } = this.#first
    if (performance.now() - this.#judgedAt >= MOMENT_MS || deps.rules().version !== this.#rules) return false
    // The call may also have waited before it was judged: for its body, a list of tools, or other calls in its batch.
    const { caller, requestId } = record.call.exchange
    if (!deps.isAsBefore(caller.principal)) return false
    return !isTouched(riskFactorsFor({ session: record.session, at: Date.now() }, deps), factors, requestId)
  }

  #note(refusal: Refusal | undefined): Failure | undefined {
    this.#refusal = refusal
    if (refusal === undefined) this.#passed += 1
    return refusal === undefined ? undefined : OBJECTION
  }

  #isOtherTool(): boolean {
    const { server, name, fingerprint } = this.#first.classified.tool
    return this.#first.deps.catalog.find(server, name)?.fingerprint !== fingerprint
  }

  #refuseOtherTool(): Refusal | undefined {
    return this.#isOtherTool() ? refuseOtherTool(this.#first) : undefined
  }
}
