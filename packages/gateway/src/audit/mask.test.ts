import { describe, expect, it } from 'vitest'
import { parseJson, writeJson } from '../protocol/parse-json.ts'
import { MASKED, maskLine, maskValue, WHOLE } from './mask.ts'

const asIs = (text: string) => text
const mask = (value: unknown, maskText = asIs) => maskValue(value, maskText)
const withoutKeys = (text: string) => text.replaceAll(/sk-\w+/g, '[secret]')

describe('arguments in the log', () => {
  it('have a long key examined only as far as it is kept', () => {
    const seen: number[] = []
    mask({ ['x'.repeat(1_000_000)]: 1 }, text => {
      seen.push(text.length)
      return text
    })
    expect(Math.max(...seen)).toBeLessThan(10_000)
  })

  it('have only values under secret names masked when shown in full', () => {
    const args = { token: { command: 'rm -rf /', pin: 1 }, secrets: ['a', { run: 'b' }], password: 'c' }
    const shown = {
      token: { command: 'rm -rf /', pin: MASKED },
      secrets: [MASKED, { run: 'b' }],
      password: MASKED,
    }
    expect(maskValue(args, text => text, WHOLE)).toEqual(shown)
    expect(maskValue(args, text => text)).toEqual({ token: MASKED, secrets: MASKED, password: MASKED })
  })

  it.each([undefined, WHOLE])('show every member, even if masking makes keys equal', bounds => {
    const hideNumbers = (text: string) => text.replaceAll(/\d{6}/g, '#')
    const args = { 'folder of 111111': '/srv', 'the folder of 222222': 1, 'the folder of # (2)': 2 }
    const more = { 'the folder of 333333': 3, 'the folder of 444444': 4 }
    expect(maskValue({ ...args, ...more }, hideNumbers, bounds)).toEqual({
      'folder of 111111': '/srv',
      'the folder of #': 1,
      'the folder of # (2)': 2,
      'the folder of # (3)': 3,
      'the folder of # (4)': 4,
    })
  })

  it('show members whose long keys differ only after the cut', () => {
    const long = 'n'.repeat(128)
    expect(mask({ [`${long}1`]: 'a', [`${long}2`]: 'b' })).toEqual({
      [`${long}…`]: 'a',
      [`${long}… (2)`]: 'b',
    })
  })

  it('are unchanged if there is nothing to mask', () => {
    const args = { to: ['a', 'b'], deep: { n: 1, ok: true, none: null } }
    expect(mask(args)).toBe(args)
  })

  it.each([
    'password',
    'userPassword',
    'db_pass',
    'api_key',
    'apiKey',
    'X-API-Key',
    'accessToken',
    'client_secret',
    'Authorization',
    'credentials',
    'privateKey',
    'set-cookie',
    'pin',
    'pwd',
  ])('lose the value of the key %s', key => {
    expect(mask({ a: { [key]: 'hunter2', b: 1 } })).toEqual({ a: { [key]: MASKED, b: 1 } })
    expect(mask({ [key]: { nested: ['hunter2'] } })).toEqual({ [key]: MASKED })
    expect(mask({ [key]: 123456 })).toEqual({ [key]: MASKED })
  })

  it.each([
    { max_tokens: 100 },
    { token_count: 3 },
    { compass: 'north' },
    { shopping: 'list' },
    { hasPassword: true },
    { password: null },
    { author: 'Ada' },
    { spinner: 'x' },
  ])('keep what only resembles a secret: %j', args => {
    expect(mask(args)).toBe(args)
  })

  it('lose secrets that the detector finds, in keys, values and lists', () => {
    const args = { note: 'use sk-123', list: ['sk-9', 1], 'a long key with sk-77 in it': 1 }
    expect(mask(args, withoutKeys)).toEqual({
      note: 'use [secret]',
      list: ['[secret]', 1],
      'a long key with [secret] in it': 1,
    })
  })

  it('keep the beginning, length and digest of a long string', () => {
    const masked = mask({ text: 'x'.repeat(5000) }) as { text: string }
    expect(masked.text).toMatch(/^x{256}…\[5000 characters, sha256 [0-9a-f]{64}\]$/)
    expect(mask({ text: 'x'.repeat(1024) })).toEqual({ text: 'x'.repeat(1024) })
  })

  it('keep as much of many long numbers as of other texts', () => {
    const list = `[${Array.from({ length: 900 }, () => '1'.repeat(1000)).join(',')}]`
    const parsed = parseJson(list, 10)
    const masked = mask(parsed.ok ? parsed.value : undefined)
    expect(writeJson(masked).length).toBeLessThan(20_000)
  })

  it('show no part of a secret that extends beyond the cut', () => {
    const withoutLongKeys = (text: string) => text.replaceAll(/sk-\d{1900,}/g, '[secret]')
    const text = `${'x'.repeat(240)}sk-${'1'.repeat(2000)}`
    expect((mask({ text }, withoutLongKeys) as { text: string }).text).not.toContain('1111')
    expect(maskLine(text, withoutLongKeys, 256)).not.toContain('1111')
  })

  it('show no part of a secret of which the search saw only the beginning', () => {
    const withoutLongOnes = (text: string) =>
      text.replaceAll(/a{500,}/g, '[long]').replaceAll(/sk-\d{20}/g, '')
    for (const [max, show] of [
      [256, (text: string) => (mask({ text }, withoutLongOnes) as { text: string }).text],
      [300, (text: string) => maskLine(text, withoutLongOnes, 300)],
      [128, (text: string) => Object.keys(mask({ [text]: 1 }, withoutLongOnes) as object)[0] ?? ''],
    ] as const) {
      const before = `${'a'.repeat(2500)} ${'a'.repeat(max + 4096 - 2501 - 20)} `
      const shown = show(`${before}sk-${'1'.repeat(20)} ${'z '.repeat(300)}`)
      expect(shown).not.toContain('sk-1')
      expect(shown).toMatch(/^…/)
      expect(show(`a sk-${'1'.repeat(20)} b ${'z '.repeat(3000)}`)).toMatch(/^a {2}b z z z/)
    }
  })

  it('are cut as a whole if they are too many or too long', () => {
    const many = mask(Array.from({ length: 5000 }, (_, index) => index)) as unknown[]
    expect(many.length).toBeLessThan(1100)
    expect(many.at(-1)).toBe('[cut]')
    const long = Object.fromEntries(
      Array.from({ length: 100 }, (_, index) => [`k${index}`, 'x'.repeat(1000)]),
    )
    expect(JSON.stringify(mask(long)).length).toBeLessThan(20_000)
    expect(JSON.stringify(mask([[[long]], long])).length).toBeLessThan(20_000)
  })

  it('keep every digit of numbers, and keys like __proto__', () => {
    const text = '{"n":12345678901234567890,"__proto__":{"password":"x"},"password":"y"}'
    const parsed = parseJson(text, 10)
    const masked = mask(parsed.ok ? parsed.value : undefined, shout)
    expect(writeJson(masked)).toBe(
      `{"n":12345678901234567890,"__proto__":{"password":"${MASKED}"},"password":"${MASKED}"}`,
    )
  })

  it('can be any value', () => {
    for (const value of [undefined, null, 1, true, '', [], {}]) expect(mask(value)).toEqual(value)
  })
})

describe('arguments shown in full', () => {
  const whole = (value: unknown, maskText = asIs) => maskValue(value, maskText, WHOLE)

  it('are not cut, however many and long they are', () => {
    const tags = Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`k${at}`, at]))
    const args = {
      tags,
      text: 'x'.repeat(50_000),
      ['n'.repeat(300)]: 1,
      list: Array(5000).fill('y'),
      force: true,
    }
    expect(whole(args)).toBe(args)
  })

  it.each([
    ['page_token', 'x; rm -rf /'],
    ['token', '/etc/shadow'],
    ['password', 'a`id`'],
    ['pin', 'x'.repeat(200)],
    ['secret_name', 'prod-db'],
    ['tokenId', 'main'],
    ['credentials_file', 'other.json'],
  ])('are shown under the name %s if they are several words or a name: %j', (key, value) => {
    expect(whole({ [key]: value })).toEqual({ [key]: value })
    expect(whole({ [key]: [value] })).toEqual({ [key]: [value] })
    expect(whole({ [key]: `${value} sk-123` }, withoutKeys)).toEqual({ [key]: `${value} [secret]` })
  })

  it('still lose their secrets', () => {
    const text = `${'x '.repeat(5000)}sk-123`
    expect(whole({ text, password: 'hunter2' }, withoutKeys)).toEqual({
      text: text.replace('sk-123', '[secret]'),
      password: MASKED,
    })
  })
})

function shout(text: string): string {
  return text.toUpperCase()
}
