import type { Json, RpcError } from '../protocol/messages.ts'
import { RPC } from '../protocol/messages.ts'
import { checkError } from '../results/check-error.ts'
import { type Beside, checkResult, checkResultBeside } from '../results/check-result.ts'
import type { Reason } from '../verdict/facts.ts'
import type { ResultRules } from '../verdict/rules.ts'

/**
 * Looks through what a server says apart from results and questions: progress, log lines. Undefined: it is held back. Whose
 * words they are is not known, so they may be anybody's.
 */
export function screenSaid(said: Json, rules: ResultRules): Json | undefined {
  const checked = checkResult(said, { rules: withoutMark(rules), isOpenWorld: true, misfit: undefined })
  if (checked.kind === 'blocked') return undefined
  return checked.kind === 'clean' ? said : checked.result
}

/** The same for questions, which may be long. */
export async function screenAsked(said: Json, rules: ResultRules, beside: Beside): Promise<Json | undefined> {
  const checking = { rules: withoutMark(rules), isOpenWorld: true, misfit: undefined }
  const checked = await checkResultBeside(said, checking, beside)
  if (checked.kind === 'blocked') return undefined
  return checked.kind === 'clean' ? said : checked.result
}

/** What a server says in an error is read, too. */
export function screenError(error: RpcError, rules: ResultRules): RpcError {
  const checked = checkError(error, { rules, isOpenWorld: true })
  return checked.kind === 'blocked' ? heldBack(checked.reasons) : checked.error
}

export function heldBack(reasons: readonly Reason[]): RpcError {
  const why = reasons.map(({ text }) => text).join('; ')
  return {
    code: RPC.internal,
    message: `The answer was held back: ${why}`,
    data: { code: 'guardrail_blocked' },
  }
}

/** Only a result has a place for a warning in front of it. */
function withoutMark(rules: ResultRules): ResultRules {
  return rules.instructions === 'mark' ? { ...rules, instructions: 'flag' } : rules
}
