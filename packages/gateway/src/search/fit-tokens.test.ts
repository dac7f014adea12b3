import { describe, expect, it } from 'vitest'
import { countTokens, fitItems } from './fit-tokens.ts'

describe('a budget of tokens', () => {
  it('counts a token for every four characters begun', () => {
    expect(countTokens('ab')).toBe(1)
    expect(countTokens('abc')).toBe(2)
  })

  it('takes as many as fit beside the rest', () => {
    const items = ['aaaaaa', 'bbbbbb', 'cccccc'] // two tokens each
    expect(fitItems(items, 'xx', 5)).toBe(2)
    expect(fitItems(items, 'xx', 7)).toBe(3)
  })

  it('takes the first whatever it costs', () => {
    expect(fitItems(['a'.repeat(400)], {}, 10)).toBe(1)
  })
})
