import { describe, expect, it } from 'vitest'
import { MOST_WAITING, measureKept } from './searcher.ts'

describe('the memory that a waiting result takes', () => {
  it('is the length of all its texts, including base64 and names', () => {
    const result = {
      content: [{ type: 'image', data: 'x'.repeat(5_000_000) }],
      ['y'.repeat(1_000_000)]: null,
    }
    expect(measureKept(result)).toBeGreaterThan(6_000_000)
    expect(measureKept(result)).toBeLessThan(6_001_000)
  })

  it('doubles for a text that contains a wide character', () => {
    expect(measureKept('x'.repeat(1000))).toBe(1000)
    expect(measureKept(`${'x'.repeat(999)}\u200B`)).toBe(2000)
  })

  it('includes a fixed size for every value, so that a list of numbers counts too', () => {
    expect(measureKept([[1, 2], [3]])).toBe(5 * 16)
  })

  it('is counted only up to the limit', () => {
    const list = Array.from({ length: MOST_WAITING / 8 }, () => 1)
    expect(measureKept({ list, more: list })).toBeLessThan(3 * MOST_WAITING)
    expect(measureKept({ list, more: list })).toBeGreaterThan(MOST_WAITING)
  })
})
