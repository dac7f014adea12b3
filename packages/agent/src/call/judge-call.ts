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

/** The facts that the judgement on a call depends on. */
export interface CallFacts {
  readonly tool: AgentTool
  readonly args: Json
  readonly riskFactors: SessionRiskFactors
  readonly rules: AgentRules
  /** True if a gateway sees all calls of this session and judges the session's risk itself. */
  readonly isRiskJudgedElsewhere: boolean
}

/** The judgement on a call. If the verdict is `confirm`, a person must approve exactly this judgement. */
export interface Judgement {
  readonly verdict: 'allow' | 'confirm' | 'deny'
  readonly tool: string
  readonly variant: CallVariant
  readonly fingerprint: string
  readonly args: Json
  readonly reasons: readonly Reason[]
  /** Notes for the person or the program that runs the loop. */
  readonly notes: readonly string[]
}

/** The `source` of a reason for which the gateway asks a person. The agent then does not ask as well. */
const GATEWAY = 'gateway'

export const CHANGED_RULE = 'definition.changed'

/**
 * Judges a call. A deny ends the judgement; otherwise, all reasons to ask are collected. The function is pure: the same
 * facts give the same judgement.
 */
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

/**
 * Returns the reason to ask about calls of this variant. If the gateway asks for that reason, the reason's source says
 * so, and this agent does not ask.
 */
function judgeVariant({ tool, rules }: CallFacts): readonly Reason[] {
  if (tool.gatewayAsks) return [reasonToConfirm(tool, GATEWAY)]
  return rules[kindOfVariant(tool.variant)] === 'always' ? [reasonToConfirm(tool, 'rules')] : []
}

/** Returns the reasons for which this agent must ask a person. */
export function ownReasons({ reasons }: Judgement): readonly Reason[] {
  return reasons.filter(({ source }) => source !== GATEWAY)
}

/**
 * Returns true if the approval of one judgement covers another. The call must be the same, and the person must have
 * been asked about all reasons.
 */
export function covers(approved: Judgement | undefined, now: Judgement): boolean {
  if (approved?.verdict !== 'confirm') return false
  const isSameCall = approved.tool === now.tool && approved.fingerprint === now.fingerprint
  return (
    isSameCall &&
    canonicalJson(approved.args) === canonicalJson(now.args) &&
    now.reasons.every(({ rule }) => approved.reasons.some(known => known.rule === rule))
  )
}
