import type { Reason } from '../reason.ts'
import {
  addRiskFactors,
  RISK_FACTORS,
  type RiskFactor,
  type RiskyTool,
  riskFactorsBroughtBy,
  type SessionRiskFactors,
} from './risk-factors.ts'

/**
 * What happens to a call that would complete the trifecta. `declared`: it asks only if earlier calls of the session brought in private
 * data and untrusted content, and their tools declare both. The hints of the called tool do not matter, so honest hints cost nothing.
 */
export type TrifectaRule = 'always' | 'declared' | 'warn' | 'off' | 'deny'

/** The facts about a call that determine its risk. */
export interface RiskyCall {
  readonly tool: string
  readonly effective: RiskyTool
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
  if (!isComplete(call)) return judgeEgress(call, rule)
  if (!isExercised(call)) return PASS
  if (rule === 'warn') return note(call)
  if (rule === 'declared' && !isSure(call)) {
    const judged = judgeEgress(call, rule)
    return judged.kind === 'pass' ? note(call) : judged
  }
  const now = after(call)
  const reasons = RISK_FACTORS.map(factor => reasonOf(factor, now))
  return { kind: rule === 'deny' ? 'deny' : 'ask', reasons }
}

const THIS_CALL = 'this call'

/** Whether all three would be present. Most calls end here, so it allocates nothing. */
function isComplete({ riskFactors, effective }: RiskyCall): boolean {
  const brought = riskFactorsBroughtBy(effective)
  return RISK_FACTORS.every(factor => riskFactors[factor] !== undefined || brought[factor] !== undefined)
}

/** One call cannot be a trifecta: it sends what it was given, and returns its result afterwards. */
function isSure({ riskFactors, effective }: RiskyCall): boolean {
  return (
    riskFactors.private_data?.basis === 'declared' &&
    riskFactors.untrusted_content?.basis === 'declared' &&
    riskFactorsBroughtBy(effective).external_communication !== undefined
  )
}

function note(call: RiskyCall): RiskJudgement {
  return { kind: 'note', notes: [warningOf(after(call))] }
}

function after({ riskFactors, effective, tool }: RiskyCall): SessionRiskFactors {
  return addRiskFactors(riskFactors, effective, { tool, request: THIS_CALL, at: 0 })
}

/** The call brings the last factor, or all are present and it communicates externally. */
function isExercised({ riskFactors, effective }: RiskyCall): boolean {
  const isMissing = RISK_FACTORS.some(factor => riskFactors[factor] === undefined)
  return isMissing || riskFactorsBroughtBy(effective).external_communication !== undefined
}

/**
 * An irreversible egress needs approval after untrusted content was read, because that content may have caused the call. An undeclared
 * effect counts as irreversible, so that to declare it costs nothing.
 */
function judgeEgress({ effective, riskFactors }: RiskyCall, rule: TrifectaRule): RiskJudgement {
  const { egress, reversible } = effective
  const isFinal = egress.value && egress.source !== 'default' && !reversible.value
  const tainted = riskFactors.untrusted_content
  if (!isFinal || tainted?.basis !== 'declared' || rule === 'warn') return PASS
  const text = `This call sends data and cannot be undone (${egress.source}), and ${tainted.tool} has brought in untrusted content.`
  return { kind: 'ask', reasons: [{ rule: 'session.irreversible_egress', source: 'session', text }] }
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
