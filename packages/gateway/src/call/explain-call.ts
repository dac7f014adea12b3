import type { IncomingCall } from '../exchange/incoming-call.ts'
import type { Refusal } from '../exchange/outcome.ts'
import { type Decision, decide, type Explained, explain } from '../policy/decide.ts'
import { factsOfThing, type Thing } from '../policy/facts/request-facts.ts'
import { verdictOn } from '../policy/rules/verdict-on.ts'
import { type Case, judgeScope, type StepResult } from '../policy/step.ts'
import { mayUseServer } from '../scope/match-scope.ts'
import { prepareRiskFactors, riskFactorsFor } from '../sessions/risk-factors.ts'
import type { CallDeps } from './call-deps.ts'
import { gatherFacts } from './judge-call.ts'
import { checkArguments, findTool } from './match-tool.ts'
import { prepareCall } from './prepare-call.ts'
import { startRecord } from './record.ts'
import { unknownTool } from './refusals.ts'

/** The verdict that a call would get, with the reasons. */
export type Explanation =
  | { readonly kind: 'unresolved'; readonly refusal: Refusal }
  | {
      readonly kind: 'judged'
      readonly facts: Case
      readonly path: readonly Explained[]
      readonly decision: Decision
      /** The refusal if the arguments are wrong. In a real call, it comes before a person is asked. */
      readonly wrong?: Refusal
    }

/** Judges a call without sending it. Takes the same steps as `handleCall` up to the verdict. */
export async function explainCall(call: IncomingCall, deps: CallDeps): Promise<Explanation> {
  const target = await findTool(call, deps)
  if ('refusal' in target) return { kind: 'unresolved', refusal: target.refusal }
  const { classified, refusal } = prepareCall(call, target)
  if (refusal !== undefined) return { kind: 'unresolved', refusal }
  const record = startRecord(classified.call)
  await prepareRiskFactors(record, deps)
  const facts = gatherFacts(classified, {
    server: target.server,
    ...riskFactorsFor(record, deps),
    now: record.at,
  })
  const rules = deps.rules()
  const wrong = checkArguments(classified, target.server)
  return {
    kind: 'judged',
    facts,
    path: explain(facts, rules),
    decision: decide(facts, rules),
    ...(wrong === undefined ? {} : { wrong }),
  }
}

/**
 * Judges a request for a resource or a prompt by its scope and by the policy, without sending it. `call.tool` is the
 * URI or the name.
 */
export async function explainRequest(
  call: IncomingCall,
  kind: Thing['kind'],
  deps: CallDeps,
): Promise<Explanation> {
  const { principal, session } = call.exchange.caller
  const server = deps.findServer(call.server)
  const isInScope = mayUseServer(principal.scope, call.server) && principal.scope.tools === undefined
  if (server === undefined || !isInScope) return { kind: 'unresolved', refusal: unknownTool(call.typed) }
  const now = Date.now()
  const named = { session: { session, principal: principal.id }, at: now }
  await prepareRiskFactors(named, deps)
  const facts: Case = {
    agent: principal,
    server: server.config,
    set: call.set?.name,
    tool: factsOfThing({ kind, name: call.tool }),
    args: kind === 'resource' ? { uri: call.tool } : { name: call.tool },
    intent: undefined,
    session: { id: session, ...riskFactorsFor(named, deps) },
    now,
    scope: principal.scope,
    claim: undefined,
  }
  const scope = judgeScope.judge(facts, deps.rules())
  const policy = judgePolicy(facts, deps)
  const path: readonly Explained[] = [
    { step: 'scope', result: scope },
    { step: 'policy', result: policy },
  ]
  return { kind: 'judged', facts, path, decision: decisionOf([scope, policy]) }
}

/** A rule that would ask refuses the request instead, because only calls to tools can wait for an answer. */
function judgePolicy(facts: Case, { rules }: Pick<CallDeps, 'rules'>): StepResult {
  const { verdict, by } = verdictOn(rules().policies, facts)
  if (verdict === 'allow') return { kind: 'pass' }
  return { kind: 'deny', code: 'policy_denied', reasons: by.map(({ reason }) => reason) }
}

function decisionOf(results: readonly StepResult[]): Decision {
  const denied = results.find(result => result.kind === 'deny')
  if (denied === undefined) return { verdict: 'allow', reasons: [], notes: [] }
  return { verdict: 'deny', code: denied.code, reasons: denied.reasons, notes: [] }
}
