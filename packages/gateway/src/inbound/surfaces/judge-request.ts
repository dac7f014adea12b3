import type { CallDeps } from '../../call/call-deps.ts'
import type { RequestDetails } from '../../exchange/surface.ts'
import type { Facts, Reason } from '../../policy/facts/facts.ts'
import { factsOfThing, thingsOf } from '../../policy/facts/request-facts.ts'
import { verdictOn } from '../../policy/rules/verdict-on.ts'
import { RPC } from '../../protocol/messages.ts'
import { prepareRiskFactors, riskFactorsFor } from '../../sessions/risk-factors.ts'
import type { UpstreamServer } from '../../upstream/upstream-server.ts'
import { continueWithoutStore, type OwnError } from './guard-request.ts'
import { hintsOfRequest } from './note-request.ts'

/** A refusal by the policy, with the rules behind it for the audit log. */
export interface Denied {
  readonly error: OwnError
  readonly reasons: readonly Reason[]
}

type JudgeDeps = Pick<CallDeps, 'rules' | 'sessions' | 'catalog' | 'passages' | 'failOpenReads'>

const NOT_ALLOWED: Reason = {
  rule: 'policy.default',
  source: 'config policyDefault',
  text: 'no rule allows this request',
}

/** Judges the resources and prompts that a request is for by the policy, as it judges calls to tools. */
export async function judgeRequest(
  wanted: RequestDetails,
  server: UpstreamServer,
  deps: JudgeDeps,
): Promise<Denied | undefined> {
  const things = thingsOf(wanted.method, wanted.params)
  if (things.length === 0) return undefined
  const { caller, params, set } = wanted
  const now = Date.now()
  const session = { session: { session: caller.session, principal: caller.principal.id }, at: now }
  try {
    await prepareRiskFactors(session, deps)
  } catch (error) {
    const lost = continueWithoutStore(error, wanted.method, deps)
    if (lost !== undefined) return { error: lost, reasons: [] }
  }
  const { riskFactors, across } = riskFactorsFor(session, deps)
  const { _meta, ...args } = params ?? {}
  const tools = deps.catalog.tools(server.name).map(({ assessment }) => assessment.effective)
  const effective = hintsOfRequest(wanted.method, tools)
  for (const thing of things) {
    const facts: Facts = {
      agent: caller.principal,
      server: server.config,
      set,
      tool: factsOfThing(thing, effective),
      args,
      intent: undefined,
      session: { id: caller.session, riskFactors, across },
      now,
    }
    const denied = judge(facts, deps)
    if (denied !== undefined) return denied
  }
  return undefined
}

function judge(facts: Facts, { rules }: Pick<JudgeDeps, 'rules'>): Denied | undefined {
  const { verdict, by } = verdictOn(rules().policies, facts)
  if (verdict === 'allow') return undefined
  const reasons = by.length > 0 ? by.map(({ reason }) => reason) : [NOT_ALLOWED]
  const why = reasons.map(({ text }) => text).join('; ')
  const message =
    verdict === 'deny'
      ? `The request was not forwarded: ${why}.`
      : `The request was not forwarded: a rule asks for approval (${why}), and only calls to tools can wait for one. Use a tool that reads the same, or ask the operator to allow this.`
  return { error: { code: RPC.generic, message, data: { code: 'policy_denied' } }, reasons }
}
