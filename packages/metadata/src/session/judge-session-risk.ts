import type { Reason } from '../reason.ts'
import type { EffectiveHints } from '../record/tool-record.ts'
import {
  addRiskFactors,
  RISK_FACTORS,
  type RiskFactor,
  riskFactorsBroughtBy,
  type SessionRiskFactors,
} from './risk-factors.ts'

/** What happens to a call that would complete the trifecta. `declared`: applies only if at least two factors are not assumed. */
export type TrifectaRule = 'always' | 'declared' | 'warn' | 'off' | 'deny'

/** The facts about a call that determine its risk. */
export interface RiskyCall {
  readonly tool: string
  readonly effective: EffectiveHints
  /** The risk factors that its session has touched. */
  readonly riskFactors: SessionRiskFactors
}

export type RiskJudgement =
  | { readonly kind: 'pass' }
  /** Allowed, with notes for the caller. */
  | { readonly kind: 'note'; readonly notes: readonly string[] }
  | { readonly kind: 'ask'; readonly reasons: readonly Reason[] }
  | { readonly kind: 'deny'; readonly reasons: readonly Reason[] }

const PASS: RiskJudgement = { kind: 'pass' }

/**
 * Whether a call would combine all three risk factors in one session: private data, untrusted content and external
 * communication. The call that completes them asks, and after that every call that communicates externally.
 *
 * @example
 * import { judgeSessionRisk, resolveEffective } from '@hintgate/metadata'
 * const mark = { request: 'r-1', at: 0, basis: 'declared' } as const
 * const riskFactors = {
 *   private_data: { ...mark, tool: 'files:read' },
 *   untrusted_content: { ...mark, tool: 'web:fetch' },
 * }
 * const effective = resolveEffective({ declared: { hints: { egress: true } }, vouched: true })
 * judgeSessionRisk({ tool: 'mail:send', effective, riskFactors }, 'declared').kind // => 'ask'
 * judgeSessionRisk({ tool: 'mail:send', effective, riskFactors }, 'deny').kind // => 'deny'
 * judgeSessionRisk({ tool: 'mail:send', effective, riskFactors: {} }, 'declared').kind // => 'note'
 */
export function judgeSessionRisk(call: RiskyCall, rule: TrifectaRule): RiskJudgement {
  if (rule === 'off') return PASS
  const { isComplete, known } = meet(call)
  if (!isComplete) return judgeEgress(call, rule)
  if (!isExercised(call)) return PASS
  const isSure = known >= 2
  if (rule === 'warn' || (rule === 'declared' && !isSure))
    return { kind: 'note', notes: [warningOf(after(call))] }
  const now = after(call)
  const reasons = RISK_FACTORS.map(factor => reasonOf(factor, now))
  return { kind: rule === 'deny' ? 'deny' : 'ask', reasons }
}

const THIS_CALL = 'this call'

/** Whether all three would be present, and how many are not assumed. Most calls end here, so it allocates nothing. */
function meet({ riskFactors, effective }: RiskyCall): {
  readonly isComplete: boolean
  readonly known: number
} {
  const brought = riskFactorsBroughtBy(effective)
  let known = 0
  for (const factor of RISK_FACTORS) {
    const had = riskFactors[factor]
    const brings = brought[factor]
    if (had === undefined && brings === undefined) return INCOMPLETE
    if (had?.basis === 'declared' || brings === 'declared') known += 1
  }
  return { isComplete: true, known }
}

const INCOMPLETE = { isComplete: false, known: 0 }

function after({ riskFactors, effective, tool }: RiskyCall): SessionRiskFactors {
  return addRiskFactors(riskFactors, effective, { tool, request: THIS_CALL, at: 0 })
}

/** The call brings the last factor, or all are present and it communicates externally. */
function isExercised({ riskFactors, effective }: RiskyCall): boolean {
  const isMissing = RISK_FACTORS.some(factor => riskFactors[factor] === undefined)
  return isMissing || riskFactorsBroughtBy(effective).external_communication !== undefined
}

/** An irreversible egress needs approval after untrusted content was read, because that content may have caused the call. */
function judgeEgress({ effective, riskFactors }: RiskyCall, rule: TrifectaRule): RiskJudgement {
  const { egress, reversible } = effective
  const isFinal = isSaid(egress, true) && isSaid(reversible, false)
  const tainted = riskFactors.untrusted_content
  if (!isFinal || tainted?.basis !== 'declared' || rule === 'warn') return PASS
  const text = `This call sends data and cannot be undone (${egress.source}), and ${tainted.tool} has brought in untrusted content.`
  return { kind: 'ask', reasons: [{ rule: 'session.irreversible_egress', source: 'session', text }] }
}

function isSaid(hint: { readonly value: boolean; readonly source: string }, value: boolean): boolean {
  return hint.value === value && hint.source !== 'default'
}

const NAMES: Readonly<Record<RiskFactor, string>> = {
  private_data: 'private data',
  untrusted_content: 'untrusted content',
  external_communication: 'external communication',
}

function reasonOf(factor: RiskFactor, riskFactors: SessionRiskFactors): Reason {
  const mark = riskFactors[factor]
  const by = mark?.request === THIS_CALL ? THIS_CALL : `${mark?.tool} (request ${mark?.request})`
  return { rule: 'session.trifecta', source: 'session', text: `${NAMES[factor]}: ${by}, ${mark?.basis}` }
}

function warningOf(riskFactors: SessionRiskFactors): string {
  const parts = RISK_FACTORS.map(factor => reasonOf(factor, riskFactors).text).join('; ')
  return `This session may combine private data, untrusted content and external communication: ${parts}.`
}
