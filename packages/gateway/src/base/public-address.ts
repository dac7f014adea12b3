import { lookup as systemLookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * Whether an address belongs to the public internet. All others do not: private and shared networks, this machine,
 * link-local addresses (the metadata services of clouds), and all ways to write an IPv4 address as an IPv6 one.
 *
 * @example isPublicAddress('169.254.169.254') // => false
 */
export function isPublicAddress(address: string): boolean {
  const text = address.replace(/^\[(.*)\]$/, '$1')
  return ipaddr.isValid(text) && ipaddr.parse(text).range() === 'unicast'
}

/** Whether a host name is itself an address. Unusual spellings count: `0x7f.1` is one. */
export function isAddress(host: string): boolean {
  return ipaddr.isValid(host.replace(/^\[(.*)\]$/, '$1'))
}

/**
 * A lookup that returns only public addresses. It runs when the connection is made, so that a second lookup cannot
 * differ.
 */
export const lookUpPublic: LookupFunction = (hostname, options, callback) => {
  systemLookup(hostname, { ...options, all: true }, (error, found) => {
    if (error !== null) return callback(error, '', 0)
    const addresses = found.filter(({ address }) => isPublicAddress(address))
    const [first] = addresses
    if (first === undefined || addresses.length < found.length)
      return callback(new Error(`${hostname} is not on the public internet`), '', 0)
    if (options.all === true) return callback(null, addresses)
    callback(null, first.address, first.family)
  })
}
