import type { Classified } from '../exchange/classified.ts'
import type { Outcome, Refusal } from '../exchange/outcome.ts'
import type { Decision, decide } from '../policy/decide.ts'
import { mayUseTool } from '../scope/match-scope.ts'
import type { Scope } from '../scope/scope.ts'
import type { ServerReply } from '../upstream/attempt.ts'
import type { Failure, Objection } from '../upstream/channel/channel.ts'
import type { UpstreamServer } from '../upstream/upstream-server.ts'
import { type Asked, bindCall } from './bind-call.ts'
import type { CallDeps } from './call-deps.ts'
import { gatherFacts } from './gather-facts.ts'
import { refuseChanged, refuseOver } from './refuse-confirmation.ts'
import { refuseDecision } from './refuse-decision.ts'
import { isTouched, type Legs, legsBeside, legsFor, readyLegs } from './session-legs.ts'
import { unknownTool } from './unknown-tool.ts'
import type { Walk } from './walk.ts'
import { orRefuse } from './without-store.ts'

type Judged = Exclude<Decision, { verdict: 'deny' }>

interface Means {
  readonly server: UpstreamServer
  readonly decide: typeof decide
  readonly walk: Pick<Walk, 'session' | 'mark'>
  /** What it was judged by. */
  readonly legs: Legs
  readonly deps: CallDeps
}

/** Whatever happens within so short a time happened at the same moment. */
export const MOMENT_MS = 50

const HALF_DONE = 'The server has the call, and may have done a part of it: check before you repeat it.'

/** The corridor has better words for it. */
const OBJECTION: Failure = { kind: 'quarantined', detail: 'it may no longer be called', notSent: true }

/**
 * A call that is judged may have to wait: for a person, for its turn, for a server that starts, for the answer to a question.
 * Before anything of it goes to the server, it is looked at once more: its tool, the rules, its session and its token may
 * have become others.
 */
export class LastLook {
  readonly #classified: Classified
  readonly #decision: Judged
  readonly #means: Means
  readonly #rules: string
  #judgedAt = performance.now()
  #refusal: Refusal | undefined
  /** How often nothing was said against it: then something of it went out. */
  #passed = 0

  constructor(classified: Classified, decision: Judged, means: Means) {
    this.#classified = classified
    this.#decision = decision
    this.#means = means
    this.#rules = means.deps.rules().version
  }

  /** Why it must not be sent any more, for who is about to send it. Mostly it was judged just now. */
  readonly objectTo = (): Objection => {
    if (this.#isAsJudged() || this.#isOtherTool()) return this.#object(this.#refuseOtherTool())
    return this.look().then(refusal => this.#object(refusal ?? this.#refuseOtherTool()))
  }

  /**
   * How the call ended where it was objected to. Of an earlier attempt there is more to say than that; and what a server
   * has already, and waits for an answer of ours, is not undone by it.
   */
  endOf(reply: ServerReply, tally: { attempts: number }): Outcome | undefined {
    const refusal = this.#refusal
    if (refusal === undefined || reply.kind !== 'failure' || reply.failure !== OBJECTION) return undefined
    tally.attempts = this.#passed
    return { kind: 'refused', refusal: this.#passed === 0 ? refusal : { ...refusal, remedy: HALF_DONE } }
  }

  /** The same for who has waited for certain. */
  async look(): Promise<Refusal | undefined> {
    if (this.#isOtherTool()) return this.#refuseOtherTool()
    const { call, tool } = this.#classified
    const { deps, walk } = this.#means
    const { principal } = call.exchange.caller
    const now = Date.now()
    const asked = { session: walk.session, at: now }
    // Where the store is away, and reads go on, what is remembered counts.
    let scope: Scope | undefined = principal.scope
    const looking = deps.scopeNow(principal).then(found => {
      scope = found
      return readyLegs(asked, deps)
    })
    const lost = await orRefuse(looking, this.#classified, deps)
    if (lost !== undefined) return lost
    if (scope === undefined || !mayUseTool(scope, tool.server, tool.name)) return unknownTool(call.typed)
    const { server, decide } = this.#means
    const legs = legsBeside(walk.mark.request, legsFor(asked, deps))
    const facts = gatherFacts(this.#classified, { server, scope, ...legs, now })
    const refusal = this.#refuse(decide(facts, deps.rules()))
    // Only a yes holds for a moment: whoever asks again after a no is to hear it again.
    if (refusal === undefined) this.#judgedAt = performance.now()
    return refusal
  }

  /** As far as that can be told without asking anybody. */
  #isAsJudged(): boolean {
    const { deps, legs, walk } = this.#means
    if (performance.now() - this.#judgedAt >= MOMENT_MS || deps.rules().version !== this.#rules) return false
    // It may have waited before it was judged, too: for its body, for a list of tools, for others of its batch.
    if (!deps.isAsBefore(this.#classified.call.exchange.caller.principal)) return false
    return !isTouched(legsFor({ session: walk.session, at: Date.now() }, deps), legs, walk.mark.request)
  }

  #object(refusal: Refusal | undefined): Failure | undefined {
    this.#refusal = refusal
    if (refusal === undefined) this.#passed += 1
    return refusal === undefined ? undefined : OBJECTION
  }

  #isOtherTool(): boolean {
    const { server, name, fingerprint } = this.#classified.tool
    return this.#means.deps.catalog.find(server, name)?.fingerprint !== fingerprint
  }

  #refuseOtherTool(): Refusal | undefined {
    if (!this.#isOtherTool()) return undefined
    return this.#decision.verdict === 'confirm'
      ? refuseOver(this.#classified, 'the tool changed in the meantime').refusal
      : refuseChanged(this.#classified, 'quarantined', 'the tool changed in the meantime')
  }

  /** A yes, of a person or of the rules, holds for what it was given for. */
  #refuse(now: Decision): Refusal | undefined {
    if (now.verdict === 'deny') return refuseDecision(this.#classified, now)
    if (now.verdict === 'allow') return undefined
    const before = this.#decision
    if (before.verdict === 'allow')
      return refuseChanged(this.#classified, 'confirmation_required', 'a person has to be asked by now')
    const isSame = this.#bind(now, this.#means.deps.rules().version) === this.#bind(before, this.#rules)
    return isSame
      ? undefined
      : refuseOver(this.#classified, 'what is asked about changed in the meantime').refusal
  }

  #bind(asked: Asked, rules: string): string {
    return bindCall(this.#classified, asked, rules).once
  }
}
