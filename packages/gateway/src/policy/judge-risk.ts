import {
  type EffectiveHints,
  judgeSessionRisk,
  LEGS,
  type RiskJudgement,
  type SessionLegs,
} from '@hintgate/metadata'
import type { SessionFacts } from './facts/facts.ts'
import type { ConfirmRules } from './rules.ts'
import { PASS, type Step } from './step.ts'

/** The vocabulary's rule on what must not meet in one session, under what the operator laid down. */
export const judgeRisk: Step = {
  name: 'session risk',
  judge(about, { confirm }) {
    const { channel, remember } = confirm
    const judged = judgeLegs(about, confirm)
    switch (judged.kind) {
      case 'pass':
        return PASS
      case 'note':
        return judged
      case 'ask':
        return { ...judged, channel, remember }
      case 'deny':
        return { ...judged, code: 'trifecta' }
    }
  },
}

interface Risky {
  readonly tool: { readonly name: string; readonly effective: EffectiveHints }
  readonly session: Pick<SessionFacts, 'legs' | 'across'>
}

/** The same of what is no tool call, and has no other facts. */
export function judgeLegs({ tool, session }: Risky, rules: ConfirmRules): RiskJudgement {
  const { name, effective } = tool
  const judge = (legs: SessionLegs) => judgeSessionRisk({ tool: name, effective, legs }, rules.trifecta)
  if (session.across === undefined) return judge(session.legs)
  const judged = judge(together(session))
  // Of what other sessions have a person or nobody decides; a caller need not be told about it in this one.
  return judged.kind === 'ask' || judged.kind === 'deny' ? judged : judge(session.legs)
}

/** Of each leg the call that is certain, and of two such the one of this session. */
function together({ legs, across = {} }: Risky['session']): SessionLegs {
  const merged: { -readonly [L in keyof SessionLegs]: SessionLegs[L] } = { ...across, ...legs }
  for (const leg of LEGS) {
    const other = across[leg]
    if (merged[leg]?.basis === 'assumed' && other?.basis === 'declared') merged[leg] = other
  }
  return merged
}
