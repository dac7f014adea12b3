import { isIPv6 } from 'node:net'

const GROUPS = 8

/**
 * Whose an address is. With IPv6 everybody has a whole /64, and would be somebody else with each of its addresses.
 *
 * @example
 * networkOf('2001:db8:1:2::7') // '2001:db8:1:2'
 */
export function networkOf(address: string): string {
  const [plain = ''] = address.split('%')
  // With dots in it, it is one of IPv4.
  if (!isIPv6(plain) || plain.includes('.')) return address
  const [before = [], behind = []] = plain.split('::').map(side => side.split(':').filter(Boolean))
  const between = Array.from({ length: GROUPS - before.length - behind.length }, () => '0')
  return [...before, ...between, ...behind]
    .slice(0, GROUPS / 2)
    .map(group => Number.parseInt(group, 16).toString(16))
    .join(':')
}
