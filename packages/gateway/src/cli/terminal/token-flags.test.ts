import { describe, expect, it } from 'vitest'
import { parseExpiry, parseScope } from './token-flags.ts'

const NOW = Date.UTC(2026, 10, 15)
const refusal = (why: string) =>
  expect.objectContaining({ code: 'flag_invalid', message: expect.stringContaining(why) })

describe('the flags of tokens create', () => {
  it('default to reading from every server', () => {
    expect(parseScope({})).toEqual({ permissions: ['retrieve_tools', 'call_tool_read'], servers: ['*'] })
  })

  it('accept lists with short names and spaces', () => {
    const scope = parseScope({
      permissions: 'read, call_tool_read,destructive',
      servers: 'a, b-*',
      tools: 'a:x',
    })
    expect(scope).toEqual({
      permissions: ['call_tool_read', 'call_tool_destructive'],
      servers: ['a', 'b-*'],
      tools: ['a:x'],
    })
  })

  it.each([
    [
      { permissions: 'call_tool_raed' },
      '--permissions: unknown permission call_tool_raed; did you mean call_tool_read?',
    ],
    [{ permissions: 'everything' }, 'expected one of retrieve_tools'],
    [{ permissions: '' }, '--permissions: expected'],
    [{ servers: '' }, '--servers: expected'],
    [{ servers: 'a,,b' }, '--servers: expected'],
    [{ tools: ' ' }, '--tools: expected'],
  ])('reject %j', (flags, why) => {
    expect(() => parseScope(flags)).toThrow(refusal(why))
  })

  it.each([
    ['30d', NOW + 30 * 86_400_000],
    ['12h', NOW + 12 * 3_600_000],
    ['2027-01-31', Date.UTC(2027, 1, 1) - 1],
  ])('accept %s as an expiry', (text, expected) => {
    expect(parseExpiry(text, NOW)).toBe(expected)
  })

  it.each([
    ['soon', 'expected a duration'],
    ['30', 'expected a duration'],
    ['', 'expected a duration'],
    ['-5d', 'expected a duration'],
    ['999999999w', 'expected a duration'],
    ['0d', 'in the past'],
    ['2020-01-01', 'in the past'],
  ])('reject %j as an expiry', (text, why) => {
    expect(() => parseExpiry(text, NOW)).toThrow(refusal(why))
  })
})

describe('--rate and --confirm', () => {
  it('accept rates and confirmation rules', () => {
    expect(parseScope({ rate: '60/m', confirm: 'write=always,destructive=never' })).toMatchObject({
      rate: { limit: 60, windowMs: 60_000 },
      confirm: { write: 'always', destructive: 'never' },
    })
    expect(parseScope({ rate: '5/10s' })).toMatchObject({ rate: { limit: 5, windowMs: 10_000 } })
  })

  it.each(['', '60', '0/m', '5/x', '-1/s', '5/0s', '1/1/1'])('reject the rate %j', rate => {
    expect(() => parseScope({ rate })).toThrow('--rate')
  })

  it.each(['', 'destructive', 'delete=never', 'write=maybe'])('reject the confirmation %j', confirm => {
    expect(() => parseScope({ confirm })).toThrow('--confirm')
  })
})
