import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { NATIONAL_IDS } from './national-ids.ts'

describe.each(NATIONAL_IDS.map(rule => [rule.id, rule] as const))('%s', (_, { pattern, digits, letters }) => {
  it('lists every possible start of a match', () => {
    // The pattern without its lookarounds, because the generated text has no context.
    const source = pattern.source.replaceAll(/\(\?<?![^()]*(?:\([^()]*\))?[^()]*\)|\(\?=[^()]*\)/g, '')
    const shape = new RegExp(`^${source.replaceAll('\\1', '[- ]')}$`)
    let matched = 0
    fc.assert(
      fc.property(fc.stringMatching(shape), text => {
        const [match] = text.matchAll(pattern)
        if (match?.[0] !== text) return
        matched += 1
        const figures = /^\d+/.exec(text)?.[0].length
        const capitals = /^[A-Z]+/.exec(text)?.[0].length
        if (figures !== undefined) expect(digits, text).toContain(figures)
        else expect(letters, text).toContain(capitals)
      }),
      { numRuns: 500 },
    )
    expect(matched).toBeGreaterThan(20)
  })
})
