import { describe, expect, it } from 'vitest'
import { OUTCOME_WORDS, outcomeWordOf, queryOfOutcome } from './outcome-words.ts'

describe('an outcome', () => {
  it.each(Object.keys(OUTCOME_WORDS))('filtered as %s is also shown as it', word => {
    expect(outcomeWordOf(queryOfOutcome(word))).toBe(word)
  })

  it('has its own label', () => {
    const words = Object.values(OUTCOME_WORDS)
    expect(new Set(words).size).toBe(words.length)
  })

  it('has no label when it is unknown', () => {
    expect(outcomeWordOf({ outcome: 'eaten' })).toBeUndefined()
  })
})
