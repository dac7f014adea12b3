import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseJson, spellNumbers, writeJson } from './parse-json.ts'

function roundTrip(text: string): string | undefined {
  const parsed = parseJson(text, 100)
  return parsed.ok ? writeJson(parsed.value) : undefined
}

/** Returns a decimal number as a fraction of integers. */
function exactly(text: string): { readonly over: bigint; readonly under: bigint } {
  const [, sign = '', whole = '', fraction = '', power = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(text) ?? []
  const shift = Number(power) - fraction.length
  const figures = BigInt(`${whole}${fraction}`) * (sign === '-' ? -1n : 1n)
  let [over, under] = shift >= 0 ? [figures * 10n ** BigInt(shift), 1n] : [figures, 10n ** BigInt(-shift)]
  while (under > 1n && over % 10n === 0n) [over, under] = [over / 10n, under / 10n]
  return { over, under: over === 0n ? 1n : under }
}

describe('parseJson()', () => {
  it.each([
    '{"a":12345678901234567890}',
    '[9007199254740993,-9007199254740993,0.12345678901234567890123]',
    '{"n":1234567890123456789e10,"s":"1234567890123456789"}',
    '{"deep":[{"id":99999999999999999999}]}',
    '[1e400,-1E-999,1e-7]',
    '[4730121E-328,-1.5e-323,2.5e-310]',
    '[1152921504606847000,1152921504606846999,1152921504606846976]',
  ])('keeps every digit of %s', text => {
    expect(roundTrip(text)).toBe(text)
  })

  it.each([
    [`5.${'0'.repeat(40)}`, '5'],
    ['0.500000000000000000000e1', '5'],
    ['500000000000000000000e-20', '5'],
    ['4.111111111111111e15', '4111111111111111'],
    ['-41111111111111110e-1', '-4111111111111111'],
    ['0.000000000000000000000000', '0'],
    ['0.1000000000000000000', '0.1'],
  ])('reads %s as a plain number', (long, short) => {
    expect(roundTrip(`[${long}]`)).toBe(`[${short}]`)
    expect(parseJson(long, 10)).toEqual({ ok: true, value: Number(short) })
  })

  it('keeps all digits in every position', () => {
    const digits = fc.stringMatching(/^-?[1-9]\d{0,22}(?:\.\d{1,22})?(?:[eE][+-]?\d{1,4})?$/)
    const space = fc.constantFrom('', ' ', '\n', '\t', '\r\n ')
    const place = fc.constantFrom<[string, string]>(
      ['', ''],
      ['[', ']'],
      ['[1,', ']'],
      ['{"n":', ',"m":"x"}'],
    )
    fc.assert(
      fc.property(digits, space, place, (number, between, [before, after]) => {
        const written = roundTrip(`${before}${between}${number}${between}${after}`)
        const value = written?.slice(before.length, written.length - after.length) ?? ''
        // The number must be unchanged or equal. Short numbers are compared as doubles.
        if (value !== number && number.length >= 16) expect(exactly(value)).toEqual(exactly(number))
        else if (value !== number) expect(value).toBe(JSON.stringify(Number(number)))
      }),
      { numRuns: 2000 },
    )
  })

  it('round-trips every document', () => {
    fc.assert(
      fc.property(fc.json({ stringUnit: 'binary' }), text => {
        expect(roundTrip(text)).toBe(JSON.stringify(JSON.parse(text)))
      }),
    )
  })

  it('keeps the last of duplicate keys, even next to long numbers', () => {
    expect(roundTrip('{"a":1,"a":2}')).toBe('{"a":2}')
    expect(roundTrip('{"a":12345678901234567890,"a":12345678901234567891}')).toBe(
      '{"a":12345678901234567891}',
    )
  })

  it('treats __proto__ as an ordinary key', () => {
    const parsed = parseJson('{"__proto__":{"admin":true},"n":12345678901234567890}', 100)
    expect(parsed.ok && (parsed.value as { admin?: boolean }).admin).toBeUndefined()
    expect(roundTrip('{"__proto__":1}')).toBe('{"__proto__":1}')
  })

  it('does not unpack strings that resemble exact numbers', () => {
    const text = JSON.stringify({ a: '\u0000abc:123', b: '\\u0000' })
    expect(roundTrip(text)).toBe(text)
  })

  it('refuses deep nesting, ignoring brackets in strings', () => {
    expect(parseJson('['.repeat(101) + ']'.repeat(101), 100)).toEqual({
      ok: false,
      reason: 'nested more than 100 levels deep',
    })
    expect(parseJson('['.repeat(100) + ']'.repeat(100), 100).ok).toBe(true)
    expect(parseJson(JSON.stringify(`\\"${'['.repeat(500)}`), 100).ok).toBe(true)
  })

  it('refuses lists with too many items, and scans long ones quickly', () => {
    const list = (count: number, more = '') => `[${'1,'.repeat(count)}1${more}]`
    expect(parseJson(list(11_000), 100, 1000)).toEqual({
      ok: false,
      reason: 'more than 10000 items in lists',
    })
    expect(parseJson(list(9000), 100, 1000).ok).toBe(true)
    const startedAt = process.cpuUsage()
    expect(parseJson(list(400_000, ',"\\u0000",12345678901234567890'), 100, 50_000).ok).toBe(true)
    expect(process.cpuUsage(startedAt).user / 1000).toBeLessThan(3000)
  })

  it('refuses invalid JSON', () => {
    for (const text of [
      '{12345678901234567890:1}',
      '{ 12345678901234567890 : 1}',
      '{"x":1,1e999:1}',
      '{"x":1, 12345678901234567890\n:1}',
      '[{\t-1e999:1}]',
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

describe('the mark of an exact number', () => {
  const kept = parseJson('{"n":12345678901234567890}', 10)
  const marked = kept.ok ? (kept.value as { n: string }).n : ''
  const mark = marked.slice(0, marked.indexOf(':') + 1)

  it('cannot be forged: input that contains it is refused', () => {
    expect(mark.startsWith('\u0000')).toBe(true)
    expect(mark.slice(1)).toMatch(/^[0-9a-f]{24}:$/)
    for (const value of [
      { a: `${mark}5` },
      [`${mark}0},"b":{`],
      { [`${mark}1`]: 1 },
      { a: [{ b: `x${mark}` }] },
    ])
      expect(parseJson(JSON.stringify(value), 10).ok).toBe(false)
    // Writes the marker with all of its characters escaped.
    const spelt = [...mark].map(letter => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')
    expect(parseJson(`{"a":"${spelt}5"}`, 10).ok).toBe(false)
    // The result must be the same whatever comes before the marker.
    for (const before of ['\\u0000', '\\u0000\\u0000', '\\u0000x', '\\u0000\\u0061', '\\\\'])
      for (const written of [spelt, JSON.stringify(mark).slice(1, -1)])
        expect(parseJson(`["${before}${written}5"]`, 10).ok).toBe(false)
    expect(parseJson('{"a":"\\u0000other"}', 10)).toEqual({ ok: true, value: { a: '\u0000other' } })
  })

  it('is only ever replaced by a number', () => {
    expect(writeJson({ n: marked })).toBe('{"n":12345678901234567890}')
    for (const digits of ['0}', '{', '1,"b":2', '', '1 2', '0x1', '"'])
      expect(JSON.parse(writeJson({ n: mark + digits }))).toEqual({ n: mark + digits })
  })

  it('is removed from texts for people', () => {
    const value = kept.ok ? kept.value : undefined
    expect(spellNumbers(value)).toEqual({ n: '12345678901234567890' })
    const plain = { a: [1, 'x'] }
    expect(spellNumbers(plain)).toBe(plain)
  })
})

describe('members of objects', () => {
  const members = (count: number) => `{${Array.from({ length: count }, () => '"":0').join(',')}}`

  it('are limited in every position', () => {
    const over = { ok: false, reason: 'more than 20 members, lists and objects' }
    expect(parseJson(members(21), 100, 20)).toEqual(over)
    expect(parseJson(`[${members(10)},${members(11)}]`, 100, 20)).toEqual(over)
    expect(parseJson(members(20), 100, 20).ok).toBe(true)
    expect(parseJson(`[${'[],'.repeat(20)}{}]`, 100, 20)).toEqual(over)
    expect(parseJson(`[${'[],'.repeat(18)}{}]`, 100, 20).ok).toBe(true)
    expect(parseJson(members(21), 100).ok).toBe(true)
  })

  it('cost less than numbers that a double would round', () => {
    const numbers = (count: number) => `[${Array.from({ length: count }, () => '1e999').join(',')}]`
    expect(parseJson(numbers(4), 100, 20).ok).toBe(true)
    expect(parseJson(numbers(5), 100, 20)).toEqual({
      ok: false,
      reason: 'too many numbers that a double might round',
    })
    expect(parseJson(numbers(50), 100).ok).toBe(true)
  })

  it('cost less than numbers that need the full check, even if they are exact', () => {
    const numbers = (count: number) =>
      `[${Array.from({ length: count }, () => '1000000000000000e7').join(',')}]`
    expect(parseJson(numbers(4), 100, 20)).toEqual({ ok: true, value: Array(4).fill(1e22) })
    expect(parseJson(numbers(5), 100, 20)).toEqual({
      ok: false,
      reason: 'too many numbers that a double might round',
    })
  })

  it.each([
    '0.1234567890123456',
    '-98765.43210987654',
    '9007199254740991',
    '1.2345678901234568e-05',
    '1.2345678901234568E-15',
    '0.250000000000000000',
    '1234567890123456.0',
    '1e21',
    '0.0000000000000000',
  ])('do not count doubles such as %s', digits => {
    const value = parseJson(`[${Array.from({ length: 150 }, () => digits).join(',')}]`, 100, 20)
    expect(value).toEqual({ ok: true, value: Array(150).fill(Number(digits)) })
  })

  it('include neither text in strings nor items of lists', () => {
    expect(parseJson(JSON.stringify({ text: '":[{'.repeat(200) }), 100, 20).ok).toBe(true)
    expect(parseJson(JSON.stringify(Array.from({ length: 200 }, () => ':')), 100, 20).ok).toBe(true)
  })
})
