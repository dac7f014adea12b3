import {
  judgeSessionRisk,
  RISK_FACTORS,
  type RiskJudgement,
  type RiskyTool,
  type SessionRiskFactors,
} from '@hintgate/metadata'
import type { SessionFacts } from './facts/facts.ts'
import type { ConfirmRules } from './rules.ts'
import { PASS, type Step } from './step.ts'

/** Applies the session risk rule (the lethal trifecta) with the operator's settings. */
export const judgeRisk: Step = {
  name: 'session risk',
  judge(about, { confirm }) {
    const { channel, remember } = confirm
    const judged = judgeRiskFactors(about, confirm)
    switch (judged.kind) {
      case 'pass':
        return PASS
      case 'note':
        return judged
      case 'ask':
        // The risk depends on what the session touches next, so nobody can approve all of it in advance.
        return { ...judged, channel, remember: remember.filter(kind => kind !== 'rule') }
      case 'deny':
        return { ...judged, code: 'trifecta' }
    }
  },
}

interface Risky {
  readonly tool: { readonly name: string; readonly effective: RiskyTool }
  readonly session: Pick<SessionFacts, 'riskFactors' | 'across'>
}

/** Applies the session risk rule to requests that are not tool calls, for which no other facts are known. */
export function judgeRiskFactors({ tool, session }: Risky, rules: ConfirmRules): RiskJudgement {
  const { name, effective } = tool
  const judge = (riskFactors: SessionRiskFactors) =>
    judgeSessionRisk({ tool: name, effective, riskFactors }, rules.trifecta)
  if (session.across === undefined) return judge(session.riskFactors)
  const judged = judge(mergeSessions(session))
  // The caller's other sessions can lead to a question or a refusal, but not to a note, which would reveal them in this
  // session.
  return judged.kind === 'ask' || judged.kind === 'deny' ? judged : judge(session.riskFactors)
}

/**
 * Merges the risk factors of this session and the caller's other sessions. For each factor, a declared call takes
 * precedence over an assumed one, and then this session over others.
 */
function mergeSessions({ riskFactors, across = {} }: Risky['session']): SessionRiskFactors {
  const merged: { -readonly [L in keyof SessionRiskFactors]: SessionRiskFactors[L] } = {
    ...across,
    ...riskFactors,
  }
  for (const factor of RISK_FACTORS) {
    const other = across[factor]
    if (merged[factor]?.basis === 'assumed' && other?.basis === 'declared') merged[factor] = other
  }
  return merged
}
