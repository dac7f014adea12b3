import type { Outcome } from '../exchange/outcome.ts'
import { leadOfCall } from '../provenance/origin-of-call.ts'
import { readPassages } from '../provenance/passage.ts'
import { textsOfResult } from '../provenance/texts-of-result.ts'
import type { CallDeps } from './call-deps.ts'
import type { CallRecord } from './record.ts'

/**
 * What the answer says that may lead the agent to do something is remembered before the agent reads it, so that no crash makes
 * it forgotten. What an operator vouches for as closed to outsiders cannot have been written by them.
 */
export async function rememberPassages(
  { call, classified, session, at }: Pick<CallRecord, 'call' | 'classified' | 'session' | 'at'>,
  outcome: Outcome,
  { passages, rules }: Pick<CallDeps, 'passages' | 'rules'>,
): Promise<void> {
  if (classified === undefined || rules().confirm.provenance === 'off') return
  const texts = textsOf(outcome)
  if (texts.length === 0 || !isOpenToOutsiders(classified)) return
  const { principal } = session
  const source = {
    server: call.server,
    tool: call.tool,
    request: call.exchange.requestId,
    session: session.session,
    at,
  }
  const { hasher } = passages
  const ledBy = leadOfCall(call.params.arguments, { passages: passages.passagesOf(principal, at), hasher })
  const found = texts.flatMap(text => readPassages(text, { hasher, source, ledBy }))
  await passages.note(principal, found, source)
}

function textsOf(outcome: Outcome): string[] {
  if (outcome.kind === 'answered') return textsOfResult(outcome.result)
  return outcome.kind === 'error' ? [outcome.error.message] : []
}

function isOpenToOutsiders({ tool }: NonNullable<CallRecord['classified']>): boolean {
  return tool.assessment.effective.openWorld.value
}
