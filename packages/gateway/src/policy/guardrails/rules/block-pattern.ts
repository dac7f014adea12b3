import { RE2JS } from 're2js'
import { z } from 'zod'
import { EVERYTHING } from '../../../protocol/field-path.ts'
import { COST, isOdd } from '../values/effort.ts'
import { defineFieldRule } from '../values/rule.ts'

/** Maximum length of a text to match, in characters. Longer texts are blocked without a match. */
const MAX_TEXT = 1_000_000

const pattern = z
  .string()
  .min(1)
  .max(1000)
  .refine(isPattern, {
    error: 'invalid regular expression',
    params: { fix: 'use RE2 syntax, which has no look-ahead, look-behind or back-references' },
  })

/**
 * A guardrail that blocks texts that match a regular expression, either as written or with look-alike characters
 * folded.
 */
export const blockPattern = defineFieldRule({
  name: 'block_pattern',
  readsTexts: true,
  fields: EVERYTHING,
  looksAt: 'linked leaves',
  needs: [['pattern', 'patterns']],
  params: {
    pattern: pattern.optional(),
    patterns: z.array(pattern).min(1).max(200).optional(),
    case_sensitive: z.boolean().default(false),
  },
  compile: params => {
    const sources = [...(params.pattern === undefined ? [] : [params.pattern]), ...(params.patterns ?? [])]
    const matchers = sources.map(source => createMatcher(source, params.case_sensitive))
    return reading =>
      ({ value }) => {
        const text = String(value)
        if (!reading.spend(effortFor(text) * matchers.length)) return undefined
        if (text.length > MAX_TEXT) return 'is too long to check against a pattern'
        const folded = reading.fold(text)
        const isHit = matchers.some(matches => matches(text) || (isOther(text, folded) && matches(folded)))
        return isHit ? 'matches a blocked pattern' : undefined
      }
  },
})

/** Returns the cost of matching a text. Text outside ASCII is matched twice, and matching it is slow. */
function effortFor(text: string): number {
  return isOdd(text) ? COST.match * text.length : text.length
}

/** Whether folding changed more than upper and lower case, which the pattern handles itself. */
function isOther(text: string, folded: string): boolean {
  return text.length !== folded.length || text.toLowerCase() !== folded
}

/** After reading this many characters, a pattern is compiled again, because its internal cache grows to megabytes. */
const MAX_READ = 5_000_000

/**
 * Whether a pattern compiles. It is compiled again for use, which is fine because both happen only when the config is
 * loaded.
 */
function isPattern(source: string): boolean {
  try {
    RE2JS.compile(source)
    return true
  } catch {
    return false
  }
}

/**
 * Creates a matcher that runs in linear time. With JavaScript's own regular expressions, an agent's text could cause
 * catastrophic backtracking.
 */
function createMatcher(source: string, isCaseSensitive: boolean): (text: string) => boolean {
  const flags = isCaseSensitive ? 0 : RE2JS.CASE_INSENSITIVE
  let expression = RE2JS.compile(source, flags)
  let read = 0
  return text => {
    read += text.length
    if (read > MAX_READ) {
      expression = RE2JS.compile(source, flags)
      read = text.length
    }
    return expression.test(text)
  }
}
