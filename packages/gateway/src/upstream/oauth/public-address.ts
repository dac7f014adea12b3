import { lookup as systemLookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * Whether an address belongs to the public internet. Everything else does not: private and shared networks, this
 * machine, link-local (the metadata services of clouds), and all ways to write an IPv4 address as an IPv6 one.
 *
 * @example
 * isPublicAddress('169.254.169.254') // => false
 */
export function isPublicAddress(address: string): boolean {
  const text = address.replace(/^\[(.*)\]$/, '$1')
  return ipaddr.isValid(text) && ipaddr.parse(text).range() === 'unicast'
}

/** Whether a host name is an address itself. Odd spellings count: `0x7f.1` is one, too. */
export function isAddress(host: string): boolean {
  return ipaddr.isValid(host.replace(/^\[(.*)\]$/, '$1'))
}

/** A lookup that finds public addresses only; checked where the connection is made, so that a second look cannot differ. */
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
