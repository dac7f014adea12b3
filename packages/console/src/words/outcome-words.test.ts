import { describe, expect, it } from 'vitest'
import { OUTCOME_WORDS, outcomeWordOf, queryOfOutcome } from './outcome-words.ts'

describe('how a call ended', () => {
  it.each(Object.keys(OUTCOME_WORDS))('is shown as %s where that was chosen', word => {
    expect(outcomeWordOf(queryOfOutcome(word))).toBe(word)
  })

  it('has a word of its own for every way', () => {
    const words = Object.values(OUTCOME_WORDS)
    expect(new Set(words).size).toBe(words.length)
  })

  it('keeps what nobody here knows', () => {
    expect(outcomeWordOf({ outcome: 'eaten' })).toBeUndefined()
  })
})
