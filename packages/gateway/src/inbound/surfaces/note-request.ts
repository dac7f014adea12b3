import { type EffectiveHints, resolveEffective, type Sourced } from '@hintgate/metadata'
import type { CallDeps } from '../../call/call-deps.ts'
import type { RequestDetails } from '../../exchange/surface.ts'
import type { Reason } from '../../policy/facts/facts.ts'
import { judgeRiskFactors } from '../../policy/judge-risk.ts'
import { RPC } from '../../protocol/messages.ts'
import { noteMark, prepareRiskFactors, riskFactorsFor } from '../../sessions/risk-factors.ts'
import { continueWithoutStore, isRead, type OwnError } from './guard-request.ts'

/** Reads that add no risk factor, because they return only names, as lists of tools do. */
const BRING_NOTHING = new Set([
  'prompts/list',
  'resources/list',
  'resources/templates/list',
  'logging/setLevel',
])

/**
 * Adds the risk factors of a resource or a prompt to the session before the request is sent, as a tool call does, and
 * refuses a request that would complete the trifecta.
 */
export async function noteRequest(
  { caller, method, requestId }: RequestDetails,
  server: string,
  deps: Pick<CallDeps, 'sessions' | 'rules' | 'catalog' | 'failOpenReads'>,
): Promise<OwnError | undefined> {
  if (BRING_NOTHING.has(method)) return undefined
  const at = Date.now()
  const noted = {
    session: { session: caller.session, principal: caller.principal.id },
    mark: { tool: `${server}:${method}`, request: requestId, at },
    at,
  }
  const tools = deps.catalog.tools(server).map(({ assessment }) => assessment.effective)
  const effective = hintsOfRequest(method, tools)
  try {
    await prepareRiskFactors(noted, deps, effective)
    const about = { tool: { name: method, effective }, session: riskFactorsFor(noted, deps) }
    const judged = judgeRiskFactors(about, deps.rules().confirm)
    // A rule that would ask a person refuses instead, because only a tool call can wait for an answer.
    if (judged.kind === 'ask' || judged.kind === 'deny') return refuseRisk(judged.reasons)
    await noteMark(noted, deps, effective)
    return undefined
  } catch (error) {
    return continueWithoutStore(error, method, deps)
  }
}

function refuseRisk(reasons: readonly Reason[]): OwnError {
  const why = reasons.map(({ text }) => text).join('; ')
  const message = `The request was not forwarded: private data, untrusted content and external communication would come together in one session (${why}).`
  return { code: RPC.generic, message, data: { code: 'trifecta' } }
}

const A_READ = resolveEffective({ declared: { hints: { readOnly: true } }, vouched: true })
const ANYTHING = resolveEffective({ declared: { hints: {} }, vouched: true })

/** The hints of a request other than a tool call: resources declare none, so the strictest of the server's tools counts. */
export function hintsOfRequest(method: string, tools: readonly EffectiveHints[]): EffectiveHints {
  const worst = (hint: 'sensitive' | 'openWorld', assumed: Sourced<boolean>): Sourced<boolean> => {
    const [first = assumed, ...others] = tools.map(effective => effective[hint])
    return others.reduce((found, other) => (weight(other) > weight(found) ? other : found), first)
  }
  const base = isRead(method) ? A_READ : ANYTHING
  return {
    ...base,
    sensitive: worst('sensitive', base.sensitive),
    openWorld: worst('openWorld', base.openWorld),
  }
}

/** A declared hint outweighs an assumed one. */
function weight({ value, source }: Sourced<boolean>): number {
  if (!value) return 0
  return source === 'default' ? 1 : 2
}
