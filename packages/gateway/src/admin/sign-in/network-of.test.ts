import { expect, it } from 'vitest'
import { networkOf } from './network-of.ts'

it('all addresses of a /64 are somebody’s', () => {
  for (const address of [
    '2001:db8:0:2::1',
    '2001:DB8::2:0:0:0:9',
    '2001:0db8:0000:0002:1:2:3:4',
    '2001:db8:0:2::1%eth0',
  ])
    expect(networkOf(address), address).toBe('2001:db8:0:2')
  expect(networkOf('2001:db8:0:3::1')).toBe('2001:db8:0:3')
  expect(networkOf('::1')).toBe('0:0:0:0')
})

it('an address of IPv4 is somebody’s own, however it is written', () => {
  for (const address of ['192.0.2.7', '::ffff:192.0.2.7', '']) expect(networkOf(address)).toBe(address)
})
