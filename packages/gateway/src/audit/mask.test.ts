import { describe, expect, it } from 'vitest'
import { parseJson, writeJson } from '../protocol/parse-json.ts'
import { MASKED, maskLine, maskValue, WHOLE } from './mask.ts'

const asIs = (text: string) => text
const mask = (value: unknown, maskText = asIs) => maskValue(value, maskText)
const withoutKeys = (text: string) => text.replaceAll(/sk-\w+/g, '[secret]')

describe('arguments in the log', () => {
  it('masks for whoever has to see everything only values by their names', () => {
    const args = { token: { command: 'rm -rf /', pin: 1 }, secrets: ['a', { run: 'b' }], password: 'c' }
    const shown = {
      token: { command: 'rm -rf /', pin: MASKED },
      secrets: [MASKED, { run: 'b' }],
      password: MASKED,
    }
    expect(maskValue(args, text => text, WHOLE)).toEqual(shown)
    expect(maskValue(args, text => text)).toEqual({ token: MASKED, secrets: MASKED, password: MASKED })
  })

  it('are as they came when there is nothing to hide', () => {
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
  ])('lose what the key %s names', key => {
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
  ])('keep what only looks like a secret: %j', args => {
    expect(mask(args)).toBe(args)
  })

  it('lose what the detector finds, in keys and values and lists', () => {
    const args = { note: 'use sk-123', list: ['sk-9', 1], 'a long key with sk-77 in it': 1 }
    expect(mask(args, withoutKeys)).toEqual({
      note: 'use [secret]',
      list: ['[secret]', 1],
      'a long key with [secret] in it': 1,
    })
  })

  it('keep of a long string the beginning, the length and the digest', () => {
    const masked = mask({ text: 'x'.repeat(5000) }) as { text: string }
    expect(masked.text).toMatch(/^x{256}…\[5000 characters, sha256 [0-9a-f]{64}\]$/)
    expect(mask({ text: 'x'.repeat(1024) })).toEqual({ text: 'x'.repeat(1024) })
  })

  it('show no part of a secret that lies across the cut', () => {
    const withoutLongKeys = (text: string) => text.replaceAll(/sk-\d{1900,}/g, '[secret]')
    const text = `${'x'.repeat(240)}sk-${'1'.repeat(2000)}`
    expect((mask({ text }, withoutLongKeys) as { text: string }).text).not.toContain('1111')
    expect(maskLine(text, withoutLongKeys, 256)).not.toContain('1111')
  })

  it('are cut as a whole when they are too many or too long', () => {
    const many = mask(Array.from({ length: 5000 }, (_, index) => index)) as unknown[]
    expect(many.length).toBeLessThan(1100)
    expect(many.at(-1)).toBe('[cut]')
    const long = Object.fromEntries(
      Array.from({ length: 100 }, (_, index) => [`k${index}`, 'x'.repeat(1000)]),
    )
    expect(JSON.stringify(mask(long)).length).toBeLessThan(20_000)
    expect(JSON.stringify(mask([[[long]], long])).length).toBeLessThan(20_000)
  })

  it('keep every digit of their numbers, and keys that are names of something else', () => {
    const text = '{"n":12345678901234567890,"__proto__":{"password":"x"},"password":"y"}'
    const parsed = parseJson(text, 10)
    const masked = mask(parsed.ok ? parsed.value : undefined, shout)
    expect(writeJson(masked)).toBe(
      `{"n":12345678901234567890,"__proto__":{"password":"${MASKED}"},"password":"${MASKED}"}`,
    )
  })

  it('may be anything', () => {
    for (const value of [undefined, null, 1, true, '', [], {}]) expect(mask(value)).toEqual(value)
  })
})

describe('arguments for whoever has to see them all', () => {
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

  it('lose their secrets all the same', () => {
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
