import {
  type CallVariant,
  canonicalJson,
  judgeSessionRisk,
  kindOfVariant,
  type Reason,
  reasonToConfirm,
  type SessionRiskFactors,
} from '@hintgate/metadata'
import type { AgentRules } from '../agent-options.ts'
import type { AgentTool } from '../catalog/agent-tool.ts'
import { describeChange } from '../catalog/pins.ts'
import type { Json } from '../json.ts'

/** The facts for judging a call. */
export interface CallFacts {
  readonly tool: AgentTool
  readonly args: Json
  readonly riskFactors: SessionRiskFactors
  readonly rules: AgentRules
  /** A gateway that sees every call of this session judges its risk itself. */
  readonly isRiskJudgedElsewhere: boolean
}

/** The judgement on a call. With the verdict `confirm`, this is what a person approves. */
export interface Judgement {
  readonly verdict: 'allow' | 'confirm' | 'deny'
  readonly tool: string
  readonly variant: CallVariant
  readonly fingerprint: string
  readonly args: Json
  readonly reasons: readonly Reason[]
  /** Notes for the person or program that runs the loop. */
  readonly notes: readonly string[]
}

/** The source of a reason that the gateway asks about, and not this agent. */
const GATEWAY = 'gateway'

export const CHANGED_RULE = 'definition.changed'

/** The first deny wins; all questions are kept. Pure: the same facts give the same judgement. */
export function judgeCall(facts: CallFacts): Judgement {
  const { tool, args } = facts
  const risk = judgeRisk(facts)
  const about = {
    tool: tool.id,
    variant: tool.variant,
    fingerprint: tool.fingerprint,
    args,
    notes: risk.kind === 'note' ? risk.notes : [],
  }
  if (risk.kind === 'deny') return { ...about, verdict: 'deny', reasons: risk.reasons }
  const reasons = [
    ...(tool.change === undefined ? [] : [reasonOfChange(tool.change)]),
    ...(risk.kind === 'ask' ? risk.reasons : []),
    ...judgeVariant(facts),
  ]
  return { ...about, verdict: reasons.length === 0 ? 'allow' : 'confirm', reasons }
}

function judgeRisk({ tool, riskFactors, rules, isRiskJudgedElsewhere }: CallFacts) {
  const rule = isRiskJudgedElsewhere ? 'off' : rules.trifecta
  return judgeSessionRisk({ tool: tool.id, effective: tool.effective, riskFactors }, rule)
}

function reasonOfChange(change: NonNullable<AgentTool['change']>): Reason {
  return { rule: CHANGED_RULE, source: 'session', text: describeChange(change) }
}

/** If the gateway asks, this agent does not. */
function judgeVariant({ tool, rules }: CallFacts): readonly Reason[] {
  if (tool.gatewayAsks) return [reasonToConfirm(tool, GATEWAY)]
  return rules[kindOfVariant(tool.variant)] === 'always' ? [reasonToConfirm(tool, 'rules')] : []
}

/** The reasons that must be asked about here. */
export function ownReasons({ reasons }: Judgement): readonly Reason[] {
  return reasons.filter(({ source }) => source !== GATEWAY)
}

/** Whether an approval of one judgement covers another: the same call, and no reason that was not asked about. */
export function covers(approved: Judgement | undefined, now: Judgement): boolean {
  if (approved?.verdict !== 'confirm') return false
  const isSameCall = approved.tool === now.tool && approved.fingerprint === now.fingerprint
  return (
    isSameCall &&
    canonicalJson(approved.args) === canonicalJson(now.args) &&
    now.reasons.every(({ rule }) => approved.reasons.some(known => known.rule === rule))
  )
}
