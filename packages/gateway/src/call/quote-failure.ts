import { showUntrusted } from '@hintgate/metadata'
import { checkResult } from '../results/check-result.ts'
import type { UpstreamServer } from '../upstream/upstream-server.ts'
import type { ResultRules } from '../verdict/rules.ts'
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
export function screenQuote(text: string, rules: ResultRules): string | undefined {
  const shown = showUntrusted(text, LONGEST)
  const checked = checkResult({ text: shown }, { rules, isOpenWorld: true, misfit: undefined })
  if (checked.kind === 'clean') return shown
  const isMarked = checked.kind === 'tainted' && checked.result.content !== undefined
  return checked.kind === 'blocked' || isMarked ? undefined : String(checked.result.text)
}
