import { toCompatible } from '@hintgate/metadata'
import { compileGlobs } from '../../../scope/match-scope.ts'
import { isMailto, unwrapMailto } from '../../facts/mailto.ts'
import { canonicalDomain } from './domains.ts'
import { COST, countOf } from './effort.ts'
import type { Reading } from './reading.ts'
import { MOST_ADDRESSES } from './split-items.ts'

/** An e-mail address, normalised for comparison. */
export interface Address {
  readonly local: string
  readonly domain: string
}

/** The recipients in a field. Recipients that cannot be read are counted; no address is guessed for them. */
export interface AddressList {
  readonly addresses: readonly Address[]
  readonly unreadable: number
}

export const TOO_MANY = `contains more than ${MOST_ADDRESSES} different addresses, which are too many to check`

/** The items that a rule has already read in this call, so that repeated items are read only once. */
export type Seen = Set<string>

export function hasTooMany(seen: Seen): boolean {
  return seen.size > MOST_ADDRESSES
}

/** Yields the items that were not seen yet in this call. Stops when there are too many. */
export function* unread(items: Iterable<string>, seen: Seen): Generator<string> {
  for (const item of items) {
    if (seen.has(item)) continue
    seen.add(item)
    if (hasTooMany(seen)) return
    yield item
  }
}

/**
 * Matches characters that make the part before the `@` unsafe: characters that mail relays read as a second address,
 * quotes, and U+FFFD, which stands for invalid bytes.
 */
const TRICKY_LOCAL = /["%!\\@\s<>(),:;[\]\uFFFD]|=\?|\p{Cc}|\p{Cf}/u

const PLAIN_LOCAL = /^[a-z0-9._+-]+$/

/** Reads a text that consists of a single `name@host`. */
function parseAddress(written: string): Address | undefined {
  const at = written.lastIndexOf('@')
  if (at < 1 || at > 128) return undefined
  const domain = canonicalDomain(written.slice(at + 1))
  const local = written.slice(0, at).toLowerCase()
  if (domain === undefined) return undefined
  if (PLAIN_LOCAL.test(local)) return { local, domain }
  const normal = toCompatible(local).toLowerCase()
  return TRICKY_LOCAL.test(normal) ? undefined : { local: normal, domain }
}

/**
 * Reads lists such as "Ada <ada@example.com>, bob@example.com" and `mailto:` links. An address inside a display name is
 * read as well, because some mail programs take the first address that they see; both addresses must then pass. Items
 * in `seen` are skipped.
 */
export function parseAddresses(text: string, seen: Seen, reading: Reading): AddressList {
  const list = toList(text.trim(), reading)
  if (list === undefined) return { addresses: [], unreadable: 1 }
  const addresses: Address[] = []
  let unreadable = 0
  for (const item of unread(reading.split(list).distinct, seen)) {
    const read = parseItem(item, seen)
    if (read === undefined) unreadable += 1
    else addresses.push(...read)
  }
  return { addresses, unreadable }
}

/** Turns a `mailto:` link into a list of recipients. Returns undefined if it cannot be read or exceeds the budget. */
export function toList(text: string, reading: Reading): string | undefined {
  if (!isMailto(text)) return text
  const effort = text.length + COST.escape * countOf('%', text) + COST.text * countOf('&', text)
  return reading.spend(effort) ? unwrapMailto(text) : undefined
}

const NAMED = /^([^<>]{0,400})<([^<>]{1,300})>$/

function parseItem(item: string, seen: Seen): readonly Address[] | undefined {
  const named = item.includes('<') ? NAMED.exec(item) : null
  if (named === null) {
    const bare = parseAddress(item)
    return bare === undefined ? undefined : [bare]
  }
  const [, name = '', written = ''] = named
  const address = parseAddress(written.trim().replace(/^mailto:/i, ''))
  if (address === undefined) return undefined
  const inName = readInName(name, seen)
  return inName === undefined ? undefined : [address, ...inName]
}

/**
 * Returns the addresses in a display name. Returns undefined if it has an `@` that is not part of an address, or
 * encoded words (`=?…?=`), which some programs decode before they look for addresses.
 */
function readInName(name: string, seen: Seen): readonly Address[] | undefined {
  if (name.includes('=?')) return undefined
  if (!/[@＠﹫]/.test(name)) return []
  const words = toCompatible(name).split(/[\s"'(),;<>[\]]+/)
  const shown = words.filter(word => word.includes('@'))
  const read = Array.from(unread(shown, seen), parseAddress)
  return read.every(address => address !== undefined) ? read : undefined
}

/**
 * Returns a function that tells whether an address matches one of the patterns. Patterns are looked up by domain, so
 * that the cost per address does not grow with their number. `*.example.com` matches all subdomains.
 */
export function createAddressSet(patterns: readonly Address[]): (address: Address) => boolean {
  const exact = group(patterns.filter(({ domain }) => !domain.startsWith('*.')))
  const below = group(patterns.filter(({ domain }) => domain.startsWith('*.')))
  // Only suffixes as long as some pattern are tried, because a name can have a hundred dots.
  const lengths = new Set(Array.from(below.keys(), domain => domain.length - 1))
  return ({ local, domain }) => {
    if (exact.get(domain)?.(local)) return true
    for (let dot = domain.indexOf('.'); dot !== -1; dot = domain.indexOf('.', dot + 1))
      if (lengths.has(domain.length - dot) && below.get(`*${domain.slice(dot)}`)?.(local)) return true
    return false
  }
}

function group(patterns: readonly Address[]): ReadonlyMap<string, (local: string) => boolean> {
  const locals = new Map<string, string[]>()
  for (const { local, domain } of patterns) {
    const same = locals.get(domain)
    if (same === undefined) locals.set(domain, [local])
    else same.push(local)
  }
  return new Map(Array.from(locals, ([domain, same]) => [domain, compileGlobs(same)]))
}
