import { describe, expect, it } from 'vitest'
import { isInNetwork } from './functions.ts'

describe('cidr()', () => {
  it.each([
    ['10.1.2.3', '10.0.0.0/8', true],
    ['11.1.2.3', '10.0.0.0/8', false],
    ['10.1.2.3', '10.1.2.3', true],
    ['::ffff:10.1.2.3', '10.0.0.0/8', true],
    ['0x7f.1', '127.0.0.0/8', true],
    ['2130706433', '127.0.0.0/8', true],
    ['[fe80::1%eth0]', 'fe80::/10', true],
    ['fd00::1', 'fc00::/7', true],
    ['fd00::1', '10.0.0.0/8', false],
    ['127.0.0.1.example.com', '127.0.0.0/8', false],
    ['localhost', '127.0.0.0/8', false],
    ['', '0.0.0.0/0', false],
    ['1'.repeat(10_000), '0.0.0.0/0', false],
  ])('%s in %s: %s', (address, network, expected) => {
    expect(isInNetwork(address, network)).toBe(expected)
  })

  it('fails on an address that programs read differently', () => {
    expect(() => isInNetwork('010.0.0.1', '10.0.0.0/8')).toThrow(/leading zeros/)
  })

  it.each(['10.0.0.0/33', '10.0.0.0/-1', 'example.com', '', '/8', '10.0.0.0/8/8', '010.0.0.0/8'])(
    'rejects %j as a network',
    network => {
      expect(() => isInNetwork('10.0.0.1', network)).toThrow(/not a network/)
    },
  )
})
