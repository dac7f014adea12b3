import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseJson, writeJson } from './parse-json.ts'

function roundTrip(text: string): string | undefined {
  const parsed = parseJson(text, 100)
  return parsed.ok ? writeJson(parsed.value) : undefined
}

describe('JSON from outside', () => {
  it.each([
    '{"a":12345678901234567890}',
    '[9007199254740993,-9007199254740993,0.12345678901234567890123]',
    '{"n":1234567890123456789e10,"s":"1234567890123456789"}',
    '{"deep":[{"id":99999999999999999999}]}',
    '[1e400,-1E-999,1e-7]',
  ])('keeps every digit of %s', text => {
    expect(roundTrip(text)).toBe(text)
  })

  it('is written as it was read, whatever it holds', () => {
    fc.assert(
      fc.property(fc.json({ stringUnit: 'binary' }), text => {
        expect(roundTrip(text)).toBe(JSON.stringify(JSON.parse(text)))
      }),
    )
  })

  it('keeps the last of duplicate keys, also beside long numbers', () => {
    expect(roundTrip('{"a":1,"a":2}')).toBe('{"a":2}')
    expect(roundTrip('{"a":12345678901234567890,"a":12345678901234567891}')).toBe(
      '{"a":12345678901234567891}',
    )
  })

  it('takes __proto__ for a key like any other', () => {
    const parsed = parseJson('{"__proto__":{"admin":true},"n":12345678901234567890}', 100)
    expect(parsed.ok && (parsed.value as { admin?: boolean }).admin).toBeUndefined()
    expect(roundTrip('{"__proto__":1}')).toBe('{"__proto__":1}')
  })

  it('does not unpack what only looks like a number kept exactly', () => {
    const text = JSON.stringify({ a: '\u0000abc:123', b: '\\u0000' })
    expect(roundTrip(text)).toBe(text)
  })

  it('refuses what is nested too deep, and counts no brackets in text', () => {
    expect(parseJson('['.repeat(101) + ']'.repeat(101), 100)).toEqual({
      ok: false,
      reason: 'nested more than 100 deep',
    })
    expect(parseJson('['.repeat(100) + ']'.repeat(100), 100).ok).toBe(true)
    expect(parseJson(JSON.stringify(`\\"${'['.repeat(500)}`), 100).ok).toBe(true)
  })

  it('refuses what is not JSON', () => {
    for (const text of [
      '',
      '{',
      '{"a":1234567890123456789x}',
      'NaN',
      '"',
      '01',
      '{"a":12345678901234567890.}',
    ]) {
      expect(parseJson(text, 100), text).toEqual({ ok: false, reason: 'not JSON' })
    }
  })
})
