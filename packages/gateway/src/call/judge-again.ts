import { otherParams } from '../approvals/other-params.ts'
import { type Bindings, bindingsOf } from '../approvals/shown-request.ts'
import type { Classified } from '../exchange/incoming-call.ts'
import type { Refusal } from '../exchange/outcome.ts'
import type { Decision, decide } from '../policy/decide.ts'
import { mayUseEndpoint, mayUseTool } from '../scope/match-scope.ts'
import type { Scope } from '../scope/scope.ts'
import {
  type KnownRiskFactors,
  prepareRiskFactors,
  riskFactorsFor,
  riskFactorsFromOthers,
} from '../sessions/risk-factors.ts'
import type { UpstreamServer } from '../upstream/upstream-server.ts'
import type { CallDeps } from './call-deps.ts'
import { refuseChanged, refuseExpired } from './confirmation/refuse-confirmation.ts'
import { gatherFacts } from './judge-call.ts'
import type { CallRecord } from './record.ts'
import { refuseDecision, refuseIfUnavailable, unknownTool } from './refusals.ts'

type Judged = Exclude<Decision, { verdict: 'deny' }>

/** The first judgement of a call, with everything that is needed to judge it again. */
export interface FirstJudgement {
  readonly record: Pick<CallRecord, 'call' | 'session' | 'at'>
  readonly classified: Classified
  readonly decision: Judged
  readonly factors: KnownRiskFactors
  readonly server: UpstreamServer
  readonly decide: typeof decide
  readonly deps: CallDeps
}

/** Judges the call by the current facts. `rules` is the version of the rules that the call was first judged by. */
export async function judgeAgain(first: FirstJudgement, rules: string): Promise<Refusal | undefined> {
  const { classified, record, server, decide, deps, factors: before } = first
  const { call, tool } = classified
  const { principal } = call.exchange.caller
  const now = Date.now()
  const asked = { session: record.session, at: now }
  // If the store is down and reads continue, the scope with which the caller was admitted applies.
  let scope: Scope | undefined = principal.scope
  const looking = deps.scopeNow(principal).then(found => {
    scope = found
    return prepareRiskFactors(asked, deps)
  })
  const lost = await refuseIfUnavailable(looking, classified, deps)
  if (lost !== undefined) return lost
  const isInScope =
    scope !== undefined && mayUseEndpoint(scope, call.set?.name) && mayUseTool(scope, tool.server, tool.name)
  if (scope === undefined || !isInScope) return unknownTool(call.typed)
  const factors = riskFactorsFromOthers(call.exchange.requestId, riskFactorsFor(asked, deps), before)
  const facts = gatherFacts(classified, { server, scope, ...factors, now })
  return refuseUnlessSame(decide(facts, deps.rules()), first, rules)
}

/**
 * Refuses the call unless the earlier decision covers the new one. A person's approval covers only what it was given
 * for.
 */
function refuseUnlessSame(
  now: Decision,
  { classified, decision: before, deps }: FirstJudgement,
  rules: string,
): Refusal | undefined {
  if (now.verdict === 'deny') return refuseDecision(classified, now)
  if (now.verdict === 'allow') return undefined
  if (before.verdict === 'allow')
    return refuseChanged(classified, 'confirmation_required', 'it now needs approval')
  const isSame =
    bindCall(classified, now, deps.rules().version).once === bindCall(classified, before, rules).once
  return isSame
    ? undefined
    : refuseExpired(
        classified,
        'the tool, the rules or the reasons for asking have changed since the person was asked',
      ).refusal
}

export function refuseOtherTool({ classified, decision }: FirstJudgement): Refusal {
  return decision.verdict === 'confirm'
    ? refuseExpired(classified, 'the tool has changed since the approval').refusal
    : refuseChanged(classified, 'quarantined', 'the tool has changed')
}

export type Asked = Extract<Decision, { verdict: 'confirm' }>

/** Binds an approval to this call, for these reasons, under these rules. */
export function bindCall(
  { call, tool, offered }: Classified,
  { channel, reasons, origin }: Pick<Asked, 'channel' | 'reasons' | 'origin'>,
  rules: string,
): Bindings {
  const { principal, session } = call.exchange.caller
  const others = otherParams(call.params)
  return bindingsOf({
    principal: principal.id,
    session,
    tool: `${tool.server}:${tool.name}`,
    fingerprint: tool.fingerprint,
    args: {
      arguments: call.params.arguments ?? {},
      ...(others === undefined ? {} : { others }),
    },
    // An approval in a toolset covers the call as the set makes it, with its filter of the result.
    view: call.set && { set: call.set.name, override: offered?.override?.fingerprint ?? '' },
    rules,
    channel,
    asking: reasons.map(({ rule }) => rule),
    targets: origin?.values ?? [],
  })
}
