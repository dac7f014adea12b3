import type { IncomingCall } from '../exchange/incoming-call.ts'
import type { Refusal } from '../exchange/outcome.ts'
import { type Decision, decide, type Explained, explain } from '../policy/decide.ts'
import type { Case } from '../policy/step.ts'
import { prepareRiskFactors, riskFactorsFor } from '../sessions/risk-factors.ts'
import type { CallDeps } from './call-deps.ts'
import { gatherFacts } from './judge-call.ts'
import { checkArguments, findTool } from './match-tool.ts'
import { prepareCall } from './prepare-call.ts'
import { startRecord } from './record.ts'
import { fixArguments } from './toolset/fix-arguments.ts'

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
