import ipaddr from 'ipaddr.js'
import { ConditionFault } from './meter.ts'

type Network = readonly [ipaddr.IPv4 | ipaddr.IPv6, number]

const MAX_LENGTH = 64
/** `010.1.1.1` is 8.1.1.1 to some programs and 10.1.1.1 to others. */
const LEADING_ZERO = /(?:^|\.)0\d/

/**
 * Whether an IP address is in a network such as `10.0.0.0/8`. A host name is in none. All the ways to write an
 * address count: `0x7f.1`, `2130706433`, `::ffff:127.0.0.1`.
 */
export function isInNetwork(address: string, network: string): boolean {
  const within = readNetwork(network)
  if (within === undefined) throw new ConditionFault('cidr() was given something that is no network')
  const ip = readAddress(address)
  if (ip === undefined) return false
  const [base, bits] = within
  return ip.kind() === base.kind() && ip.match(base, bits)
}

/** A network, or a single address. */
export function readNetwork(text: string): Network | undefined {
  if (text.length > MAX_LENGTH || LEADING_ZERO.test(text)) return undefined
  try {
    if (text.includes('/')) return ipaddr.parseCIDR(text)
    const ip = ipaddr.process(text)
    return [ip, ip.kind() === 'ipv4' ? 32 : 128]
  } catch {
    return undefined
  }
}

function readAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  const bare = text
    .trim()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/%.*$/, '')
  if (bare.length > MAX_LENGTH) return undefined
  const isAddress = ipaddr.isValid(bare)
  if (isAddress && LEADING_ZERO.test(bare))
    throw new ConditionFault(
      'cidr() was given an address with leading zeros, which programs read differently',
    )
  return isAddress ? ipaddr.process(bare) : undefined
}
