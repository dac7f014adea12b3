import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseJson, spellNumbers, writeJson } from './parse-json.ts'

function roundTrip(text: string): string | undefined {
  const parsed = parseJson(text, 100)
  return parsed.ok ? writeJson(parsed.value) : undefined
}

/** A decimal as a fraction of whole numbers. */
function exactly(text: string): { readonly over: bigint; readonly under: bigint } {
  const [, sign = '', whole = '', fraction = '', power = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(text) ?? []
  const shift = Number(power) - fraction.length
  const figures = BigInt(`${whole}${fraction}`) * (sign === '-' ? -1n : 1n)
  let [over, under] = shift >= 0 ? [figures * 10n ** BigInt(shift), 1n] : [figures, 10n ** BigInt(-shift)]
  while (under > 1n && over % 10n === 0n) [over, under] = [over / 10n, under / 10n]
  return { over, under: over === 0n ? 1n : under }
}

describe('JSON from outside', () => {
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
  ])('takes %s for the number that it is', (long, short) => {
    expect(roundTrip(`[${long}]`)).toBe(`[${short}]`)
    expect(parseJson(long, 10)).toEqual({ ok: true, value: Number(short) })
  })

  it('keeps them wherever a number may stand', () => {
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
        // As it came, or the same number in other words; what a short one means is left to the double.
        if (value !== number && number.length >= 16) expect(exactly(value)).toEqual(exactly(number))
        else if (value !== number) expect(value).toBe(JSON.stringify(Number(number)))
      }),
      { numRuns: 2000 },
    )
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

  it('refuses lists with more items than anybody sends, and looks through long ones quickly', () => {
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

  it('refuses what is not JSON', () => {
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

describe('the mark of a number that is kept exactly', () => {
  const kept = parseJson('{"n":12345678901234567890}', 10)
  const marked = kept.ok ? (kept.value as { n: string }).n : ''
  const mark = marked.slice(0, marked.indexOf(':') + 1)

  it('is of no use to somebody who knows it: texts with it are refused, wherever it stands', () => {
    expect(mark.startsWith('\u0000')).toBe(true)
    expect(mark.slice(1)).toMatch(/^[0-9a-f]{24}:$/)
    for (const value of [
      { a: `${mark}5` },
      [`${mark}0},"b":{`],
      { [`${mark}1`]: 1 },
      { a: [{ b: `x${mark}` }] },
    ])
      expect(parseJson(JSON.stringify(value), 10).ok).toBe(false)
    // However it is written.
    const spelt = [...mark].map(letter => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')
    expect(parseJson(`{"a":"${spelt}5"}`, 10).ok).toBe(false)
    // Whatever stands before it.
    for (const before of ['\\u0000', '\\u0000\\u0000', '\\u0000x', '\\u0000\\u0061', '\\\\'])
      for (const written of [spelt, JSON.stringify(mark).slice(1, -1)])
        expect(parseJson(`["${before}${written}5"]`, 10).ok).toBe(false)
    expect(parseJson('{"a":"\\u0000other"}', 10)).toEqual({ ok: true, value: { a: '\u0000other' } })
  })

  it('is replaced by nothing but a number', () => {
    expect(writeJson({ n: marked })).toBe('{"n":12345678901234567890}')
    for (const digits of ['0}', '{', '1,"b":2', '', '1 2', '0x1', '"'])
      expect(JSON.parse(writeJson({ n: mark + digits }))).toEqual({ n: mark + digits })
  })

  it('is spelt out for people', () => {
    const value = kept.ok ? kept.value : undefined
    expect(spellNumbers(value)).toEqual({ n: '12345678901234567890' })
    const plain = { a: [1, 'x'] }
    expect(spellNumbers(plain)).toBe(plain)
  })
})

describe('members of objects', () => {
  const members = (count: number) => `{${Array.from({ length: count }, () => '"":0').join(',')}}`

  it('are bounded, wherever they stand', () => {
    const over = { ok: false, reason: 'more than 20 members, or lists and objects' }
    expect(parseJson(members(21), 100, 20)).toEqual(over)
    expect(parseJson(`[${members(10)},${members(11)}]`, 100, 20)).toEqual(over)
    expect(parseJson(members(20), 100, 20).ok).toBe(true)
    expect(parseJson(`[${'[],'.repeat(20)}{}]`, 100, 20)).toEqual(over)
    expect(parseJson(`[${'[],'.repeat(18)}{}]`, 100, 20).ok).toBe(true)
    expect(parseJson(members(21), 100).ok).toBe(true)
  })

  it('count less than numbers that a double would round', () => {
    const numbers = (count: number) => `[${Array.from({ length: count }, () => '1e999').join(',')}]`
    expect(parseJson(numbers(4), 100, 20).ok).toBe(true)
    expect(parseJson(numbers(5), 100, 20)).toEqual({
      ok: false,
      reason: 'too many numbers that a double may round',
    })
    expect(parseJson(numbers(50), 100).ok).toBe(true)
  })

  it('count less than numbers that have to be looked at closely, even where they turn out exact', () => {
    const numbers = (count: number) =>
      `[${Array.from({ length: count }, () => '1000000000000000e7').join(',')}]`
    expect(parseJson(numbers(4), 100, 20)).toEqual({ ok: true, value: Array(4).fill(1e22) })
    expect(parseJson(numbers(5), 100, 20)).toEqual({
      ok: false,
      reason: 'too many numbers that a double may round',
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
  ])('do not limit how many doubles like %s there are', digits => {
    const value = parseJson(`[${Array.from({ length: 150 }, () => digits).join(',')}]`, 100, 20)
    expect(value).toEqual({ ok: true, value: Array(150).fill(Number(digits)) })
  })

  it('are neither what stands in texts nor the items of lists', () => {
    expect(parseJson(JSON.stringify({ text: '":[{'.repeat(200) }), 100, 20).ok).toBe(true)
    expect(parseJson(JSON.stringify(Array.from({ length: 200 }, () => ':')), 100, 20).ok).toBe(true)
  })
})
