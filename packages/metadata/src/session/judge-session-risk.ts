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
 * The treatment of a call that would complete the trifecta. With `declared`, the call needs approval only if tools used
 * earlier in the session declared that they bring in private data and untrusted content. Whether the called tool itself
 * declares external communication makes no difference, so a server gains nothing by leaving that hint out.
 */
export type TrifectaRule = 'always' | 'declared' | 'warn' | 'off' | 'deny'

/** The facts that the risk of a call depends on. */
export interface RiskyCall {
  readonly tool: string
  readonly effective: RiskyTool
  /** The risk factors that the session of the call has touched. */
  readonly riskFactors: SessionRiskFactors
}

export type RiskJudgement =
  | { readonly kind: 'pass' }
  /** The call is allowed, with notes for the caller. */
  | { readonly kind: 'note'; readonly notes: readonly string[] }
  | { readonly kind: 'ask'; readonly reasons: readonly Reason[] }
  | { readonly kind: 'deny'; readonly reasons: readonly Reason[] }

const PASS: RiskJudgement = { kind: 'pass' }

/**
 * Judges whether a call would combine all three risk factors in one session: private data, untrusted content and
 * external communication. The rule applies to the call that completes the three, and after that to every call that
 * communicates externally.
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

/**
 * Returns true if the session would have all three risk factors after the call. Most calls need only this check, so it
 * must be cheap and allocates nothing.
 */
function isComplete({ riskFactors, effective }: RiskyCall): boolean {
  const brought = riskFactorsBroughtBy(effective)
  return RISK_FACTORS.every(factor => riskFactors[factor] !== undefined || brought[factor] !== undefined)
}

/**
 * Returns true if a completed trifecta is certain enough to ask a person: earlier tools declared the private data and
 * the untrusted content, and this call communicates externally. One call alone cannot be a trifecta, because its
 * arguments are sent before its result arrives.
 */
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

/** Returns true if the call brings in the last missing risk factor, or communicates externally when all are present. */
function isExercised({ riskFactors, effective }: RiskyCall): boolean {
  const isMissing = RISK_FACTORS.some(factor => riskFactors[factor] === undefined)
  return isMissing || riskFactorsBroughtBy(effective).external_communication !== undefined
}

/**
 * Asks about a call that sends data out irreversibly after the session has read untrusted content, because that content
 * may have caused the call. A tool that does not declare whether it is reversible counts as irreversible, so declaring
 * it honestly is never a disadvantage.
 */
function judgeEgress({ effective, riskFactors }: RiskyCall, rule: TrifectaRule): RiskJudgement {
  const { egress, reversible } = effective
  const isFinal = egress.value && egress.source !== 'default' && !reversible.value
  const tainted = riskFactors.untrusted_content
  if (!isFinal || tainted?.basis !== 'declared' || rule === 'warn') return PASS
  const text = `This call sends data out (${egress.source}) and cannot be undone, and ${tainted.tool} has brought untrusted content into this session.`
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
