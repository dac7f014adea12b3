import type { SecretRule } from './secret-rule.ts'
import { SECRET_RULES } from './secret-rules.ts'

/** The first two characters of every hint, so that nearly every place in a text is dismissed with one look. */
const OPENINGS = new Uint8Array(1 << 14)
const HINTS = new Map<number, { readonly hint: string; readonly rule: SecretRule }[]>()
const UNHINTED = SECRET_RULES.filter(({ hints }) => hints === undefined)

for (const rule of SECRET_RULES) {
  for (const hint of rule.hints ?? []) {
    const opening = (hint.charCodeAt(0) << 7) | hint.charCodeAt(1)
    OPENINGS[opening] = 1
    HINTS.set(opening, [...(HINTS.get(opening) ?? []), { hint, rule }])
  }
}

const MIN_GATED = Math.min(...UNHINTED.map(({ minRun = 0 }) => minRun))
const NONE: readonly SecretRule[] = []
const BLANK = 0x20

interface Run {
  readonly start: number
  readonly end: number
}

/**
 * The rules that can match somewhere in a text. Only what stands in a long enough run
 * without blanks is looked at: secrets have none.
 */
export function chooseRules(text: string, minRun: number): readonly SecretRule[] {
  let chosen: Set<SecretRule> | undefined
  let longest = 0
  let start = 0
  for (let at = 0; at <= text.length; at += 1) {
    // At the end of the text the code is NaN, which is no more than a blank either.
    if (text.charCodeAt(at) > BLANK) continue
    if (at - start >= minRun) {
      longest = Math.max(longest, at - start)
      chosen = lookAt(text, { start, end: at }, chosen)
    }
    start = at + 1
  }
  const gated = longest < MIN_GATED ? NONE : UNHINTED.filter(({ minRun = 0 }) => longest >= minRun)
  return chosen === undefined ? gated : [...chosen, ...gated]
}

function lookAt(
  text: string,
  { start, end }: Run,
  before: Set<SecretRule> | undefined,
): Set<SecretRule> | undefined {
  let chosen = before
  let last = text.charCodeAt(start)
  for (let at = start + 1; at < end; at += 1) {
    const code = text.charCodeAt(at)
    const opening = (last << 7) | code
    if (code < 128 && last < 128 && OPENINGS[opening] === 1) {
      for (const { hint, rule } of HINTS.get(opening) ?? []) {
        if (text.startsWith(hint, at - 1)) chosen = (chosen ?? new Set()).add(rule)
      }
    }
    last = code
  }
  return chosen
}
