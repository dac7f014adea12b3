import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isText, parseJson } from '../../protocol/parse-json.ts'
import { beforePair, endOfFitting } from './measure-json.ts'

const anyText = fc.string({ unit: 'binary' }).map(text => `${text}\ud800${text}\n"\\\u0001`)

describe('cutting a text', () => {
  it('takes as much as fits when written as JSON, and no more', () => {
    fc.assert(
      fc.property(anyText, fc.nat(80), fc.nat(20), (text, budget, from) => {
        const start = beforePair(text, Math.min(from, text.length))
        const end = endOfFitting(text, start, budget)
        expect(JSON.stringify(text.slice(start, end)).length - 2).toBeLessThanOrEqual(budget)
        if (end === text.length) return
        const width = (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1
        const more = text.slice(start, end + width)
        expect(JSON.stringify(more).length - 2).toBeGreaterThan(budget)
      }),
    )
  })

  it('never splits a surrogate pair', () => {
    expect(endOfFitting('🦔🦔', 0, 3)).toBe(2)
    expect(endOfFitting('🦔', 0, 1)).toBe(0)
    expect([0, 1, 2, 3].map(at => beforePair('🦔a', at))).toEqual([0, 0, 2, 3])
    expect(beforePair('\ud800a', 1)).toBe(1)
  })

  it('never returns a number object', () => {
    const parsed = parseJson('[12345678901234567890,"12345678901234567890","\\u0000x"]', 10)
    const values = parsed.ok ? (parsed.value as unknown[]) : []
    expect(values.map(isText)).toEqual([false, true, true])
    expect(isText(5)).toBe(false)
  })
})
