import { type EffectiveHints, resolveEffective, type Sourced } from '@hintgate/metadata'
import type { CallDeps } from '../../call/call-deps.ts'
import type { RequestDetails } from '../../exchange/surface.ts'
import type { Reason } from '../../policy/facts/facts.ts'
import { judgeRiskFactors } from '../../policy/judge-risk.ts'
import { RPC } from '../../protocol/messages.ts'
import { noteMark, prepareRiskFactors, riskFactorsFor } from '../../sessions/risk-factors.ts'
import { isRead, type OwnError, passWithoutStore } from './guard-passage.ts'

/** Reads that bring nothing into a session but names, as lists of tools do. */
const BRING_NOTHING = new Set([
  'prompts/list',
  'resources/list',
  'resources/templates/list',
  'logging/setLevel',
])

/**
 * What a resource or a prompt brings stays with the session, as what a tool brings does, before it is asked for; and what must
 * not meet there is not brought together so either.
 */
export async function notePassage(
  { caller, method, requestId }: RequestDetails,
  server: string,
  deps: Pick<CallDeps, 'sessions' | 'rules' | 'catalog' | 'failOpenReads'>,
): Promise<OwnError | undefined> {
  if (BRING_NOTHING.has(method)) return undefined
  const at = Date.now()
  const passage = {
    session: { session: caller.session, principal: caller.principal.id },
    mark: { tool: `${server}:${method}`, request: requestId, at },
    at,
  }
  const tools = deps.catalog.tools(server).map(({ assessment }) => assessment.effective)
  const effective = hintsOfPassage(method, tools)
  try {
    await prepareRiskFactors(passage, deps, effective)
    const about = { tool: { name: method, effective }, session: riskFactorsFor(passage, deps) }
    const judged = judgeRiskFactors(about, deps.rules().confirm)
    // Where a person would have to say yes, nobody can be asked: only a tool call can wait.
    if (judged.kind === 'ask' || judged.kind === 'deny') return refuseRisk(judged.reasons)
    await noteMark(passage, deps, effective)
    return undefined
  } catch (error) {
    return passWithoutStore(error, method, deps)
  }
}

function refuseRisk(reasons: readonly Reason[]): OwnError {
  const why = reasons.map(({ text }) => text).join('; ')
  const message = `The request was not forwarded: private data, untrusted content and external communication would come together in one session (${why}).`
  return { code: RPC.generic, message, data: { code: 'trifecta' } }
}

const A_READ = resolveEffective({ declared: { hints: { readOnly: true } }, vouched: true })
const ANYTHING = resolveEffective({ declared: { hints: {} }, vouched: true })

/** Nobody says of a resource what is in it. It counts as the worst that a tool of the same server touches. */
export function hintsOfPassage(method: string, tools: readonly EffectiveHints[]): EffectiveHints {
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

/** That somebody said so weighs more than that nobody ruled it out. */
function weight({ value, source }: Sourced<boolean>): number {
  if (!value) return 0
  return source === 'default' ? 1 : 2
}
