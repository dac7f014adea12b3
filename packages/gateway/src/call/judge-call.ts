import type { SessionRiskFactors } from '@hintgate/metadata'
import type { Classified } from '../exchange/incoming-call.ts'
import type { Refusal } from '../exchange/outcome.ts'
import { limitsOf } from '../policy/guardrails/limits-of.ts'
import type { Case } from '../policy/step.ts'
import { isJsonObject, type Json } from '../protocol/messages.ts'
import type { ReadSoFar } from '../provenance/find-origin.ts'
import { isPlainRead, originOfCall } from '../provenance/origin-of-call.ts'
import { stateTask } from '../provenance/state-task.ts'
import type { Scope } from '../scope/scope.ts'
import {
  type KnownRiskFactors,
  noteMark,
  prepareRiskFactors,
  riskFactorsFor,
  type SessionOf,
} from '../sessions/risk-factors.ts'
import type { UpstreamServer } from '../upstream/upstream-server.ts'
import type { CallDeps } from './call-deps.ts'
import { clientInfoFor, otherParamsFor } from './guard-texts.ts'
import { countCall } from './limit-rate.ts'
import type { CallRecord } from './record.ts'
import { refuseIfUnavailable } from './refusals.ts'

interface Circumstances {
  readonly server: UpstreamServer
  readonly riskFactors: SessionRiskFactors
  readonly across?: SessionRiskFactors | undefined
  readonly read?: ReadSoFar | undefined
  readonly now: number
  /** The caller's current scope, if it might have changed since the call came in. */
  readonly scope?: Scope
}

const NO_ARGUMENTS: Json = {}

/** Gathers all facts that the verdict on a call can depend on. */
export function gatherFacts(classified: Classified, circumstances: Circumstances): Case {
  return new GatheredFacts(classified, circumstances)
}

class GatheredFacts implements Case {
  readonly agent: Case['agent']
  readonly server: UpstreamServer['config']
  readonly tool: Case['tool']
  readonly args: Json
  readonly intent: Case['intent']
  readonly session: Case['session']
  readonly now: number
  readonly scope: Case['scope']
  readonly claim: Case['claim']
  readonly set: string | undefined
  readonly #call: Classified['call']
  readonly #server: UpstreamServer
  readonly #called: Classified['tool']
  readonly #read: ReadSoFar | undefined
  #origin: Case['origin'] | null = null

  constructor(
    { call, tool, variant }: Classified,
    { server, riskFactors, across, read, now, scope }: Circumstances,
  ) {
    const { principal, session } = call.exchange.caller
    const { title, category, riskLevel, effective, consequence } = tool.assessment
    const { arguments: args } = call.params
    this.agent = principal
    this.server = server.config
    this.tool = {
      name: tool.name,
      title,
      variant,
      category,
      riskLevel,
      fingerprint: tool.fingerprint,
      effective,
      consequence,
    }
    this.args = isJsonObject(args) ? args : NO_ARGUMENTS
    this.intent = call.claim?.intent
    this.session = { id: session, riskFactors, across }
    this.now = now
    this.scope = scope ?? principal.scope
    this.claim = call.claim
    this.set = call.set?.name
    this.#call = call
    this.#server = server
    this.#called = tool
    this.#read = read
  }

  get origin(): Case['origin'] {
    if (this.#origin === null) this.#origin = this.#read && originOfCall(this.#called, this.args, this.#read)
    return this.#origin
  }

  get isPlainRead(): boolean {
    return isPlainRead(this.#called, this.args)
  }

  /** The call's parameters other than its arguments. Computed only if a rule needs them. */
  get others(): Json | undefined {
    const { params, exchange } = this.#call
    return otherParamsFor({ params, caller: exchange.caller }, this.#server)
  }

  get client(): unknown {
    return clientInfoFor(this.#call.exchange.caller, this.#server)
  }
}

/** Loads the risk factors of a call's session, or returns the refusal if the call cannot be judged. */
export async function loadRiskFactors(
  session: SessionOf,
  classified: Classified,
  deps: CallDeps,
): Promise<KnownRiskFactors | Refusal> {
  const loading = prepareRiskFactors(session, deps, classified.tool.assessment.effective)
  const lost = loading && (await refuseIfUnavailable(loading, classified, deps))
  if (lost !== undefined) return lost
  const stating = stateTask(classified.call, session, deps.passages)
  const failed = stating && (await refuseIfUnavailable(stating, classified, deps))
  return failed ?? riskFactorsFor(session, deps)
}

/**
 * Adds the call's risk factors to its session, durably. This happens before the call is sent, because a call that might
 * have been executed counts even if no answer arrives.
 */
export async function noteRiskFactors(
  { call, session, at }: Pick<CallRecord, 'call' | 'session' | 'at'>,
  classified: Classified,
  deps: CallDeps,
): Promise<Refusal | undefined> {
  const mark = { tool: `${call.server}:${call.tool}`, request: call.exchange.requestId, at }
  const noting = noteMark({ session, mark }, deps, classified.tool.assessment.effective)
  return noting && refuseIfUnavailable(noting, classified, deps)
}

/** Counts the call towards all rate limits that apply to it: its token's, its server's, and those of guardrails. */
export function limitRate(
  facts: Case,
  classified: Classified,
  deps: CallDeps,
): undefined | Promise<Refusal | undefined> {
  // The call of a task was counted when the task was made.
  if (classified.call.task !== undefined) return undefined
  const { guardrails, rateOf } = deps.rules()
  const limits = limitsOf(facts, rateOf(facts.server.name), guardrails.ratesOf(facts))
  if (limits.length === 0) return undefined
  return countCall(limits, classified, deps)
}
