import { showUntrusted } from '@hintgate/metadata'
import type { Refusal } from '../exchange/outcome.ts'
import type { ResultRules } from '../policy/rules.ts'
import { checkResult } from '../results/check-result.ts'
import type { UpstreamServer } from '../upstream/upstream-server.ts'
import type { CallDeps } from './call-deps.ts'

const LONGEST = 300

/**
 * Why a server failed last, as far as agents may read it. It may be the server's own words: those of a server that waits for
 * review are nobody's to read, and others are looked through as results are. Operators find them whole in the log.
 */
export function quoteFailure(
  server: UpstreamServer,
  { catalog, rules }: Pick<CallDeps, 'catalog' | 'rules'>,
): string | undefined {
  const { lastFailure } = server
  if (lastFailure === undefined || catalog.isWhollyHeld(server)) return undefined
  return screenQuote(lastFailure.detail, rules().results(server.name))
}

/** Short, without anything that moves a cursor; undefined where it has something in it that is held back or marked. */
function screenQuote(text: string, rules: ResultRules): string | undefined {
  return screenText(showUntrusted(text, LONGEST), rules)
}

function screenText(text: string, rules: ResultRules): string | undefined {
  const checked = checkResult({ text }, { rules, isOpenWorld: true, misfit: undefined })
  if (checked.kind === 'clean') return text
  const isMarked = checked.kind === 'tainted' && checked.warning !== undefined
  return checked.kind === 'blocked' || isMarked ? undefined : String(checked.result.text)
}

/** A refusal that says why there is no answer, which may quote the server, as far as agents may read it. */
export function screenRefusal(refusal: Refusal, rules: ResultRules): Refusal {
  const message = screenText(refusal.message, rules)
  const reasons = refusal.reasons.flatMap(reason => {
    const text = screenText(reason.text, rules)
    return text === undefined ? [] : [{ ...reason, text }]
  })
  if (message !== undefined && reasons.length === refusal.reasons.length)
    return { ...refusal, message, reasons }
  const bare = refusal.reasons.map(reason => ({ ...reason, text: HELD_BACK }))
  return { ...refusal, message: `There was no answer; ${HELD_BACK}.`, reasons: bare }
}

const HELD_BACK = 'what the server said when it failed was held back'
