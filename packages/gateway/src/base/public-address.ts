import { lookup as systemLookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * True if an address belongs to the public internet. False for private and shared networks, this machine, link-local
 * addresses (such as the metadata services of clouds), and every way to write an IPv4 address as an IPv6 address.
 *
 * @example isPublicAddress('169.254.169.254') // => false
 */
export function isPublicAddress(address: string): boolean {
  const text = address.replace(/^\[(.*)\]$/, '$1')
  return ipaddr.isValid(text) && ipaddr.parse(text).range() === 'unicast'
}

/** True if a host name is itself an IP address, even in an unusual spelling such as `0x7f.1`. */
export function isAddress(host: string): boolean {
  return ipaddr.isValid(host.replace(/^\[(.*)\]$/, '$1'))
}

/**
 * Looks up a host name and returns only public addresses. It runs when the connection is made, so that no later lookup
 * can give a different address.
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
