import { otherParams } from '../approvals/other-params.ts'
import { type Bindings, bindingsOf } from '../approvals/shown-request.ts'
import type { Classified } from '../exchange/incoming-call.ts'
import type { Outcome, Refusal } from '../exchange/outcome.ts'
import type { Decision, decide } from '../policy/decide.ts'
import { mayUseTool } from '../scope/match-scope.ts'
import type { Scope } from '../scope/scope.ts'
import {
  isTouched,
  type KnownRiskFactors,
  prepareRiskFactors,
  riskFactorsFor,
  riskFactorsFromOthers,
} from '../sessions/risk-factors.ts'
import type { Passage, ServerReply } from '../upstream/attempt.ts'
import type { Failure, Objection } from '../upstream/channel/channel.ts'
import type { UpstreamServer } from '../upstream/upstream-server.ts'
import type { CallDeps } from './call-deps.ts'
import { gatherFacts, orRefuse } from './judge-call.ts'
import type { CallRecord } from './record.ts'
import { refuseDecision, unknownTool } from './refusals.ts'
import { refuseChanged, refuseOver } from './refuse-confirmation.ts'

type Judged = Exclude<Decision, { verdict: 'deny' }>

/** How the call was judged the first time, and what it takes to judge it again. */
interface FirstLook {
  readonly record: Pick<CallRecord, 'call' | 'session' | 'at'>
  readonly classified: Classified
  readonly decision: Judged
  readonly riskFactors: KnownRiskFactors
  readonly server: UpstreamServer
  readonly decide: typeof decide
  readonly deps: CallDeps
}

/** Changes within so short a time count as simultaneous. */
export const MOMENT_MS = 50

const HALF_DONE = 'The server has the call, and may have done a part of it: check before you repeat it.'

/** The corridor puts `#refusal` in its place, which says more. */
const OBJECTION: Failure = { kind: 'quarantined', detail: 'it may no longer be called', notSent: true }

/**
 * The check just before a call is sent; no other place does it. A call that was judged may have waited since: for a person, for
 * its turn, for a server to start, for the answer to a question. Meanwhile its tool, the rules, its session or its token may have changed.
 */
export class Recheck {
  readonly #first: FirstLook
  readonly #rules: string
  #judgedAt = performance.now()
  #refusal: Refusal | undefined
  /** How often there was no objection, so that something was sent. */
  #passed = 0

  constructor(first: FirstLook) {
    this.#first = first
    this.#rules = first.deps.rules().version
  }

  /** Why the call must not be sent after all. `passage` says over which connection it would go, where one was chosen anew. */
  readonly objectTo = (passage?: Passage): Objection => {
    const { classified, deps, server } = this.#first
    const wrongWay = passage && deps.catalog.objectTo(server, classified.tool.name, passage)
    if (wrongWay instanceof Promise) return wrongWay.then(failure => failure ?? this.#objectNow())
    return wrongWay ?? this.#objectNow()
  }

  /**
   * How the call ended if `objectTo` stopped it, and how often it had been sent by then. What a server already has is not
   * undone by an objection.
   */
  endOf(reply: ServerReply): { readonly outcome: Outcome; readonly attempts: number } | undefined {
    const refusal = this.#refusal
    if (refusal === undefined || reply.kind !== 'failure' || reply.failure !== OBJECTION) return undefined
    const told = this.#passed === 0 ? refusal : { ...refusal, remedy: HALF_DONE }
    return { outcome: { kind: 'refused', refusal: told }, attempts: this.#passed }
  }

  /** Judges the call again by the facts as they are now. */
  async look(): Promise<Refusal | undefined> {
    if (this.#isOtherTool()) return this.#refuseOtherTool()
    const { classified, record, server, decide, deps, riskFactors: before } = this.#first
    const { call, tool } = classified
    const { principal } = call.exchange.caller
    const now = Date.now()
    const asked = { session: record.session, at: now }
    // Where the store is away, and reads go on, what is remembered counts.
    let scope: Scope | undefined = principal.scope
    const looking = deps.scopeNow(principal).then(found => {
      scope = found
      return prepareRiskFactors(asked, deps)
    })
    const lost = await orRefuse(looking, classified, deps)
    if (lost !== undefined) return lost
    if (scope === undefined || !mayUseTool(scope, tool.server, tool.name)) return unknownTool(call.typed)
    const riskFactors = riskFactorsFromOthers(call.exchange.requestId, riskFactorsFor(asked, deps), before)
    const facts = gatherFacts(classified, { server, scope, ...riskFactors, now })
    const refusal = this.#refuse(decide(facts, deps.rules()))
    // Only a yes holds for a moment; a no must be found again at the next look.
    if (refusal === undefined) this.#judgedAt = performance.now()
    return refusal
  }

  #objectNow(): Objection {
    if (this.#isAsJudged() || this.#isOtherTool()) return this.#object(this.#refuseOtherTool())
    return this.look().then(refusal => this.#object(refusal ?? this.#refuseOtherTool()))
  }

  /** As far as that can be told without waiting; mostly the call was judged just now. */
  #isAsJudged(): boolean {
    const { record, riskFactors, deps } = this.#first
    if (performance.now() - this.#judgedAt >= MOMENT_MS || deps.rules().version !== this.#rules) return false
    // The call may have waited before it was judged, too: for its body, for a list of tools, for others of its batch.
    const { caller, requestId } = record.call.exchange
    if (!deps.isAsBefore(caller.principal)) return false
    return !isTouched(
      riskFactorsFor({ session: record.session, at: Date.now() }, deps),
      riskFactors,
      requestId,
    )
  }

  #object(refusal: Refusal | undefined): Failure | undefined {
    this.#refusal = refusal
    if (refusal === undefined) this.#passed += 1
    return refusal === undefined ? undefined : OBJECTION
  }

  #isOtherTool(): boolean {
    const { server, name, fingerprint } = this.#first.classified.tool
    return this.#first.deps.catalog.find(server, name)?.fingerprint !== fingerprint
  }

  #refuseOtherTool(): Refusal | undefined {
    if (!this.#isOtherTool()) return undefined
    const { classified, decision } = this.#first
    return decision.verdict === 'confirm'
      ? refuseOver(classified, 'the tool changed in the meantime').refusal
      : refuseChanged(classified, 'quarantined', 'the tool changed in the meantime')
  }

  /** A yes, of a person or of the rules, holds for what it was given for. */
  #refuse(now: Decision): Refusal | undefined {
    const { classified, decision: before, deps } = this.#first
    if (now.verdict === 'deny') return refuseDecision(classified, now)
    if (now.verdict === 'allow') return undefined
    if (before.verdict === 'allow')
      return refuseChanged(classified, 'confirmation_required', 'a person has to be asked by now')
    const isSame =
      bindCall(classified, now, deps.rules().version).once === bindCall(classified, before, this.#rules).once
    return isSame ? undefined : refuseOver(classified, 'what is asked about changed in the meantime').refusal
  }
}

export type Asked = Extract<Decision, { verdict: 'confirm' }>

/** What a person would allow who says yes to this call, asked for these reasons, under these rules. */
export function bindCall(
  { call, tool }: Classified,
  { channel, reasons }: Pick<Asked, 'channel' | 'reasons'>,
  rules: string,
): Bindings {
  const { principal, session } = call.exchange.caller
  const others = otherParams(call.params)
  return bindingsOf({
    principal: principal.id,
    session,
    tool: `${tool.server}:${tool.name}`,
    fingerprint: tool.fingerprint,
    args: { arguments: call.params.arguments ?? {}, ...(others === undefined ? {} : { others }) },
    rules,
    channel,
    asking: reasons.map(({ rule }) => rule),
  })
}
