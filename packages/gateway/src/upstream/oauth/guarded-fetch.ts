import { lookup as systemLookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import { loadUndici } from '../../base/load-undici.ts'
import { fetchPlain } from '../../base/plain-fetch.ts'

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>

const ANSWER_MS = 10_000

/**
 * A fetch for addresses that a server supplied. It connects only to the server's own host, which the operator chose,
 * and to the public internet. It follows no redirects, because each is another address that the operator did not
 * choose.
 */
export function createGuardedFetch(serverUrl: string): Fetch {
  const own = new URL(serverUrl).host
  const { Agent, fetch: fetchWith } = loadUndici()
  const open = new Agent({ connect: { timeout: ANSWER_MS } })
  const guarded = new Agent({ connect: { timeout: ANSWER_MS, lookup: lookUpPublic } })
  return async (input, init) => {
    const url = new URL(input)
    const isOwn = url.host === own || (isLoopback(url) && isLoopback(new URL(serverUrl)))
    if (!isOwn) checkTarget(url)
    const dispatcher = isOwn ? open : guarded
    return fetchPlain(
      url,
      { ...init, redirect: 'manual', signal: AbortSignal.timeout(ANSWER_MS) },
      (to, asked) => fetchWith(to, { ...(asked as Parameters<typeof fetchWith>[1]), dispatcher }),
    )
  }
}

function checkTarget({ protocol, hostname, href }: URL): void {
  if (protocol !== 'https:') throw new Error(`${href} is not encrypted`)
  if (isAddress(hostname) && !isPublicAddress(hostname))
    throw new Error(`${href} is not on the public internet`)
}

function isLoopback({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname)
}

/**
 * Whether an address belongs to the public internet. All others do not: private and shared networks, this machine,
 * link-local addresses (the metadata services of clouds), and all ways to write an IPv4 address as an IPv6 one.
 *
 * @example isPublicAddress('169.254.169.254') // => false
 */
function isPublicAddress(address: string): boolean {
  const text = address.replace(/^\[(.*)\]$/, '$1')
  return ipaddr.isValid(text) && ipaddr.parse(text).range() === 'unicast'
}

/** Whether a host name is itself an address. Unusual spellings count: `0x7f.1` is one. */
function isAddress(host: string): boolean {
  return ipaddr.isValid(host.replace(/^\[(.*)\]$/, '$1'))
}

/**
 * A DNS lookup that accepts only public addresses. It runs when the connection is made, so that no later lookup can
 * give a different address.
 */
const lookUpPublic: LookupFunction = (hostname, options, callback) => {
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
