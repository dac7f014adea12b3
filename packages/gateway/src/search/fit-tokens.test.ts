import { describe, expect, it } from 'vitest'
import { countTokens, fitItems } from './fit-tokens.ts'

describe('a budget of tokens', () => {
  it('counts one token for every four characters, rounded up', () => {
    expect(countTokens('ab')).toBe(1)
    expect(countTokens('abc')).toBe(2)
  })

  it('accepts as many items as fit together with the rest', () => {
    const items = ['aaaaaa', 'bbbbbb', 'cccccc'] // two tokens each
    expect(fitItems(items, 'xx', 5)).toBe(2)
    expect(fitItems(items, 'xx', 7)).toBe(3)
  })

  it('accepts the first item at any cost', () => {
    expect(fitItems(['a'.repeat(400)], {}, 10)).toBe(1)
  })
})
