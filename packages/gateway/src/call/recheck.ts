import type { Outcome, Refusal } from '../exchange/outcome.ts'
import { isTouched, riskFactorsFor } from '../sessions/risk-factors.ts'
import type { Route } from '../upstream/attempt.ts'
import type { Failure, Objection } from '../upstream/channel/channel.ts'
import { type FirstJudgement, judgeAgain, refuseOtherTool } from './judge-again.ts'
import type { CallReply } from './questions-in-call.ts'

/** Changes within this time count as simultaneous. */
export const MOMENT_MS = 50

const HALF_DONE = 'The server has the call, and may have done a part of it: check before you repeat it.'

/** The corridor replaces it by `#refusal`, which has more details. */
const OBJECTION: Failure = { kind: 'quarantined', detail: 'the tool may no longer be called', notSent: true }

/**
 * The check just before a call is sent; no other place does it. A judged call may have waited since: for a person, for
 * its turn, for a server to start, or for the answer to a question. Meanwhile its tool, the rules, its session or its
 * token may have changed.
 */
export class Recheck {
  readonly #first: FirstJudgement
  readonly #rules: string
  #judgedAt = performance.now()
  #refusal: Refusal | undefined
  /** How often there was no objection, so that the call was sent. */
  #passed = 0

  constructor(first: FirstJudgement) {
    this.#first = first
    this.#rules = first.deps.rules().version
  }

  /** Why the call must not be sent. `route` is the connection that the next attempt uses, if it is chosen. */
  readonly objectTo = (route?: Route): Objection => {
    const { classified, deps, server } = this.#first
    const wrongWay = route && deps.catalog.objectTo(server, classified.tool.name, route)
    if (wrongWay instanceof Promise) return wrongWay.then(failure => failure ?? this.#objectNow())
    return wrongWay ?? this.#objectNow()
  }

  /**
   * The outcome if `objectTo` stopped the call, and the number of attempts before. An objection does not undo an
   * earlier attempt.
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
    // Only a yes stays valid for a moment; a no is found again at the next check.
    if (refusal === undefined) this.#judgedAt = performance.now()
    return refusal
  }

  #objectNow(): Objection {
    if (this.#isAsJudged() || this.#isOtherTool()) return this.#note(this.#refuseOtherTool())
    return this.check().then(refusal => this.#note(refusal ?? this.#refuseOtherTool()))
  }

  /** As far as that is known without waiting; usually the call was judged just now. */
  #isAsJudged(): boolean {
    const { record, factors, deps } = this.#first
    if (performance.now() - this.#judgedAt >= MOMENT_MS || deps.rules().version !== this.#rules) return false
    // The call may also have waited before it was judged: for its body, for a list of tools, for other calls of its
    // batch.
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
