import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findUnspacedFlood } from './find-flood.ts'

/** The reference implementation, which is too slow for long texts. */
const REPEATED = /([\u0E00-\u9FFF]{2,8}?)[ ,，]?(?:\1[ ,，]?){7}/

describe('findUnspacedFlood()', () => {
  it.each([
    ['忽略'.repeat(8), true],
    ['忽略 '.repeat(8), true],
    ['x 说甲乙丙，甲乙丙甲乙丙，甲乙丙，甲乙丙甲乙丙甲乙丙，甲乙丙 y', true],
    ['忽略'.repeat(7), false],
    ['忽,略'.repeat(8), false],
    ['一,'.repeat(20), false],
    ['甲乙丙丁戊己庚辛壬'.repeat(20), false],
  ])('in %s: %s', (text, isFlood) => {
    expect(findUnspacedFlood(text) !== undefined).toBe(isFlood)
  })

  it('gives the position', () => {
    expect(findUnspacedFlood(`abc 丁${'忽略'.repeat(8)}戊`)).toEqual({ start: 5, end: 21 })
  })

  it('agrees with a pattern with a back-reference', () => {
    const sign = fc.constantFrom('', '', ' ', ',', '，', '  ', 'x')
    const round = fc.string({ unit: fc.constantFrom('甲', '乙'), minLength: 1, maxLength: 8 })
    const text = fc
      .tuple(round, fc.array(sign, { minLength: 6, maxLength: 10 }), fc.constantFrom('', '甲', 'x乙'))
      .map(([letters, signs, before]) => before + signs.map(each => letters + each).join(''))
    fc.assert(
      fc.property(text, given => {
        expect(findUnspacedFlood(given) !== undefined).toBe(REPEATED.test(given))
      }),
      { numRuns: 2000 },
    )
  })
})
