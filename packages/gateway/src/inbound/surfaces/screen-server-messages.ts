import type { Reason } from '../../policy/facts/facts.ts'
import type { ResultRules } from '../../policy/rules.ts'
import { type Json, RPC, type RpcError } from '../../protocol/messages.ts'
import { checkError } from '../../results/check-error.ts'
import { type Beside, type Checked, checkResult, checkResultBeside } from '../../results/check-result.ts'
import { askedInOwnVoice, saidInOwnVoice } from '../../results/own-voice.ts'

/**
 * Screens a server's notification, such as progress or a log line. Returns undefined if it is withheld. The origin of
 * its text is unknown, so it counts as open-world.
 */
export function screenNotification(said: Json, rules: ResultRules): Json | undefined {
  return shownOf(said, checkResult(said, checkingBy(rules, saidInOwnVoice)))
}

/**
 * Screens a question from a server. The question can be long, and it must not look like a question from the gateway.
 */
export function screenQuestion(
  said: Json,
  rules: ResultRules,
  beside: Beside,
): Json | undefined | Promise<Json | undefined> {
  const checked = checkResultBeside(said, checkingBy(rules, askedInOwnVoice), beside)
  return checked instanceof Promise ? checked.then(one => shownOf(said, one)) : shownOf(said, checked)
}

function shownOf(said: Json, checked: Checked): Json | undefined {
  if (checked.kind === 'clean') return said
  return checked.kind === 'changed' ? checked.result : undefined
}

/** Screens an error that the gateway wrote, because it can quote a server. */
export function screenError(error: RpcError, rules: ResultRules): RpcError {
  const checked = checkError(error, { rules, isOpenWorld: true })
  return checked.kind === 'blocked' ? heldBack(checked.reasons) : checked.error
}

export function heldBack(reasons: readonly Reason[]): RpcError {
  const why = reasons.map(({ text }) => text).join('; ')
  return {
    code: RPC.internal,
    message: `The gateway held back the answer: ${why}`,
    data: { code: 'guardrail_blocked' },
  }
}

/**
 * Returns the checks for texts that have no place for a warning: findings that would be marked in the text are only
 * flagged.
 */
function checkingBy(rules: ResultRules, restrain: (shown: Json) => Json | undefined) {
  const flagging: ResultRules = rules.instructions === 'mark' ? { ...rules, instructions: 'flag' } : rules
  return { rules: flagging, isOpenWorld: true, misfit: undefined, restrain }
}
