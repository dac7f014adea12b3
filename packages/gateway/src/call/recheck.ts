import type { Outcome, Refusal } from '../exchange/outcome.ts'
import { isTouched, riskFactorsFor } from '../sessions/risk-factors.ts'
import type { Route } from '../upstream/attempt.ts'
import type { Failure, Objection } from '../upstream/channel/channel.ts'
import { type FirstJudgement, judgeAgain, refuseOtherTool } from './judge-again.ts'
import type { CallReply } from './questions-in-call.ts'

/** How long an objection-free check stays valid, in milliseconds. */
export const MOMENT_MS = 50

const HALF_DONE =
  'The server might have executed part of the call. Check whether it did before you repeat the call.'

/** The failure of an attempt that `objectTo` stopped. It is later replaced by `#refusal`, which has more details. */
const OBJECTION: Failure = { kind: 'quarantined', detail: 'the tool can no longer be called', notSent: true }

/**
 * The check just before a call is sent, which is made only here. Since it was judged, the call might have waited for a
 * person, its turn, a server's start, or the answer to a question. In that time, its tool, the rules, its session or
 * its token might have changed.
 */
export class Recheck {
  readonly #first: FirstJudgement
  readonly #rules: string
  #judgedAt = performance.now()
  #refusal: Refusal | undefined
  /** The number of times that the call was sent, because there was no objection. */
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
   * Returns the outcome if `objectTo` stopped the call, and the number of earlier attempts, which an objection does not
   * undo.
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
    // Only a check without an objection stays valid for a moment. After an objection, the next check is made anew.
    if (refusal === undefined) this.#judgedAt = performance.now()
    return refusal
  }

  #objectNow(): Objection {
    if (this.#isAsJudged() || this.#isOtherTool()) return this.#note(this.#refuseOtherTool())
    return this.check().then(refusal => this.#note(refusal ?? this.#refuseOtherTool()))
  }

  /** True if nothing has changed since the call was judged, as far as can be known without waiting. */
  #isAsJudged(): boolean {
    const { record, factors, deps } = this.#first
    if (performance.now() - this.#judgedAt >= MOMENT_MS || deps.rules().version !== this.#rules) return false
    // The call might also have waited before it was judged: for its body, for a list of tools, or for other calls in
    // its batch.
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
    const { tool, call, offered } = this.#first.classified
    const { server, name, fingerprint } = tool
    if (this.#first.deps.catalog.find(server, name)?.fingerprint !== fingerprint) return true
    if (call.set === undefined) return false
    // The set might have lost the tool, or present it with other arguments, hints or fields.
    const now = call.set.find(call.typed)
    return now === undefined || now.override?.fingerprint !== offered?.override?.fingerprint
  }

  #refuseOtherTool(): Refusal | undefined {
    return this.#isOtherTool() ? refuseOtherTool(this.#first) : undefined
  }
}
