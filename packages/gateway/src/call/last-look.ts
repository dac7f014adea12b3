import { mayUseTool } from '../tokens/match-scope.ts'
import type { ServerReply } from '../upstream/attempt.ts'
import type { Failure } from '../upstream/channel.ts'
import type { UpstreamServer } from '../upstream/upstream-server.ts'
import type { Decision, decide } from '../verdict/decide.ts'
import { type Asked, bindCall } from './bind-call.ts'
import type { CallDeps } from './call-deps.ts'
import type { Classified } from './classify.ts'
import { gatherFacts } from './gather-facts.ts'
import type { Outcome, Refusal } from './outcome.ts'
import { refuseChanged, refuseOver } from './refuse-confirmation.ts'
import { refuseDecision } from './refuse-decision.ts'
import { legsBeside, legsFor, readyLegs } from './session-legs.ts'
import { unknownTool } from './unknown-tool.ts'
import { orRefuse } from './without-store.ts'

type Judged = Exclude<Decision, { verdict: 'deny' }>

interface Means {
  readonly server: UpstreamServer
  readonly decide: typeof decide
  readonly deps: CallDeps
}

/** Whatever happens within so short a time happened at the same moment. */
const MOMENT_MS = 50

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

  constructor(classified: Classified, decision: Judged, means: Means) {
    this.#classified = classified
    this.#decision = decision
    this.#means = means
    this.#rules = means.deps.rules().version
  }

  /** Why it must not be sent any more, for who is about to send it. Mostly it was judged just now. */
  readonly objectTo = (): undefined | Failure | Promise<Failure | undefined> => {
    if (this.#isOtherTool()) return this.#object(this.#refuseTool())
    if (performance.now() - this.#judgedAt < MOMENT_MS) return undefined
    return this.look().then(refusal => this.#object(refusal))
  }

  /** How the call ended where it was objected to; of an earlier attempt there is more to say than that. */
  endOf(reply: ServerReply, tally: { attempts: number }): Outcome | undefined {
    if (this.#refusal === undefined || reply.kind !== 'failure' || reply.failure !== OBJECTION)
      return undefined
    tally.attempts -= 1
    return { kind: 'refused', refusal: this.#refusal }
  }

  /** The same for who has waited for certain. */
  async look(): Promise<Refusal | undefined> {
    if (this.#isOtherTool()) return this.#refuseTool()
    let found: Refusal | undefined
    const looking = this.#judge().then(refusal => {
      found = refusal
    })
    const lost = await orRefuse(looking, this.#classified, this.#means.deps)
    this.#judgedAt = performance.now()
    return lost ?? found
  }

  #object(refusal: Refusal | undefined): Failure | undefined {
    this.#refusal = refusal
    return refusal === undefined ? undefined : OBJECTION
  }

  #isOtherTool(): boolean {
    const { server, name, fingerprint } = this.#classified.tool
    return this.#means.deps.catalog.find(server, name)?.fingerprint !== fingerprint
  }

  #refuseTool(): Refusal {
    return this.#decision.verdict === 'confirm'
      ? refuseOver(this.#classified, 'the tool changed in the meantime').refusal
      : refuseChanged(this.#classified, 'quarantined', 'the tool changed in the meantime')
  }

  async #judge(): Promise<Refusal | undefined> {
    const { server, decide, deps } = this.#means
    const { call, tool } = this.#classified
    const { session, principal } = call.exchange.caller
    const scope = await deps.scopeNow(principal)
    if (scope === undefined || !mayUseTool(scope, tool.server, tool.name)) return unknownTool(call.typed)
    const now = Date.now()
    const asked = { session: { session, principal: principal.id }, at: now }
    await readyLegs(asked, deps)
    const legs = legsBeside(call.exchange.requestId, legsFor(asked, deps))
    const facts = gatherFacts(this.#classified, { server, scope, ...legs, now })
    return this.#refuse(decide(facts, deps.rules()))
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
