import type { Outcome } from '../exchange/outcome.ts'
import { rememberTexts } from '../provenance/remember-texts.ts'
import { textsOfResult } from '../provenance/texts-of-result.ts'
import type { CallDeps } from './call-deps.ts'
import type { CallRecord } from './record.ts'

/**
 * What the answer says that may lead the agent to do something is remembered before the agent reads it, so that no crash makes
 * it forgotten. What an operator vouches for as closed to outsiders cannot have been written by them.
 */
export function rememberPassages(
  { call, classified, session, at }: Pick<CallRecord, 'call' | 'classified' | 'session' | 'at'>,
  outcome: Outcome,
  { passages, rules }: Pick<CallDeps, 'passages' | 'rules'>,
): undefined | Promise<void> {
  if (rules().confirm.provenance === 'off') return undefined
  if (classified?.tool.assessment.effective.openWorld.value === false) return undefined
  const { server, tool, exchange, params } = call
  const source = { server, tool, request: exchange.requestId, session: session.session, at }
  return rememberTexts(textsOf(outcome), {
    memory: passages,
    principal: session.principal,
    source,
    args: params.arguments,
  })
}

function textsOf(outcome: Outcome): readonly string[] {
  if (outcome.kind === 'answered') return textsOfResult(outcome.result)
  return outcome.kind === 'error' ? [outcome.error.message] : []
}
