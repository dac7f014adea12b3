import { z } from 'zod'
import { EVERYTHING } from '../../../protocol/field-path.ts'
import { COST, isOdd } from '../values/effort.ts'
import { createMatcher, isPattern } from '../values/pattern.ts'
import { defineRule, fieldParams, readFields } from '../values/rule.ts'

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
export const blockPattern = defineRule({
  name: 'block_pattern',
  readsTexts: true,
  needs: [['pattern', 'patterns']],
  params: {
    ...fieldParams,
    pattern: pattern.optional(),
    patterns: z.array(pattern).min(1).max(200).optional(),
    case_sensitive: z.boolean().default(false),
  },
  compile: params => {
    const fields = readFields(params, EVERYTHING)
    const sources = [...(params.pattern === undefined ? [] : [params.pattern]), ...(params.patterns ?? [])]
    const matchers = sources.map(source => createMatcher(source, params.case_sensitive))
    return reading => {
      for (const { path, value } of reading.withLinks(reading.leaves(fields))) {
        const text = String(value)
        if (!reading.spend(effortFor(text) * matchers.length)) return undefined
        if (text.length > MAX_TEXT)
          return { field: path, text: 'is too long to be checked against a pattern' }
        const folded = reading.fold(text)
        const isHit = matchers.some(matches => matches(text) || (isOther(text, folded) && matches(folded)))
        if (isHit) return { field: path, text: 'matches a blocked pattern' }
      }
      return undefined
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
