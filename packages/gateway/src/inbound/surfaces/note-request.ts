import { type EffectiveHints, resolveEffective, type Sourced } from '@hintgate/metadata'
import type { CallDeps } from '../../call/call-deps.ts'
import type { RequestDetails } from '../../exchange/surface.ts'
import type { Reason } from '../../policy/facts/facts.ts'
import { judgeRiskFactors } from '../../policy/judge-risk.ts'
import { RPC } from '../../protocol/messages.ts'
import { noteMark, prepareRiskFactors, riskFactorsFor } from '../../sessions/risk-factors.ts'
import { continueWithoutStore, isRead, type OwnError } from './guard-request.ts'

/** Methods that add no risk factor, because they return only names, like a list of tools. */
const BRING_NOTHING = new Set([
  'prompts/list',
  'resources/list',
  'resources/templates/list',
  'logging/setLevel',
])

/**
 * Adds the risk factors of a resource or prompt to the session before the request is sent, as for a tool call. Refuses
 * a request that would complete the lethal trifecta.
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
    // A rule that would ask a person refuses the request instead, because only a tool call can wait for an answer.
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

/**
 * Returns the hints for a request that is not a tool call. Resources and prompts declare none, so for each hint the
 * strictest value among the server's tools counts.
 */
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

/** Ranks hints by strictness. Among equal values, a declared one outweighs an assumed one. */
function weight({ value, source }: Sourced<boolean>): number {
  if (!value) return 0
  return source === 'default' ? 1 : 2
}
