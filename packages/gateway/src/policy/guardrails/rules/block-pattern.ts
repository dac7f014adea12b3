import { RE2JS } from 're2js'
import { z } from 'zod'
import { EVERYTHING } from '../../../protocol/field-path.ts'
import { COST, isOdd } from '../values/effort.ts'
import { defineFieldRule } from '../values/rule.ts'

/** Longer texts are not matched but objected to. */
const MAX_TEXT = 1_000_000

const pattern = z
  .string()
  .min(1)
  .max(1000)
  .refine(isPattern, {
    error: 'this regular expression cannot be read',
    params: { fix: 'write it in the syntax of RE2: no look-ahead, no look-behind, no back-references' },
  })

/** Regular expressions that must not match, neither the text as it is nor as the eye reads it. */
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
        if (text.length > MAX_TEXT) return 'is too long to be checked against a pattern'
        const folded = reading.fold(text)
        const isHit = matchers.some(matches => matches(text) || (isOther(text, folded) && matches(folded)))
        return isHit ? 'matches a blocked pattern' : undefined
      }
  },
})

/** What is odd is matched twice, and slowly. */
function effortFor(text: string): number {
  return isOdd(text) ? COST.match * text.length : text.length
}

/** Case apart, which the pattern itself looks after. */
function isOther(text: string, folded: string): boolean {
  return text.length !== folded.length || text.toLowerCase() !== folded
}

/** What an expression remembers of texts grows to megabytes: after so many characters it is made afresh. */
const MAX_READ = 5_000_000

/** Whether an expression can be read. Compiled once here and once for use: that is at load, not per call. */
function isPattern(source: string): boolean {
  try {
    RE2JS.compile(source)
    return true
  } catch {
    return false
  }
}

/** In time proportional to the text: an agent's text could keep JavaScript's own engine busy for ever. */
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
