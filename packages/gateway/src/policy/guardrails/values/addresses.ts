import { toCompatible } from '@hintgate/metadata'
import { compileGlobs } from '../../../scope/match-scope.ts'
import { isMailto, unwrapMailto } from '../../facts/mailto.ts'
import { canonicalDomain } from './domains.ts'
import { COST, countOf } from './effort.ts'
import type { Reading } from './reading.ts'
import { MOST_ADDRESSES } from './split-items.ts'

/** An e-mail address in the form it is compared in. */
export interface Address {
  readonly local: string
  readonly domain: string
}

/** What a field with recipients holds. What cannot be read is counted, never guessed. */
export interface AddressList {
  readonly addresses: readonly Address[]
  readonly unreadable: number
}

export const TOO_MANY = `names more than ${MOST_ADDRESSES} different addresses, which are too many to be checked`

/** What a rule has read of a call. What stands there a hundred thousand times is looked at once. */
export type Seen = Set<string>

export function hasTooMany(seen: Seen): boolean {
  return seen.size > MOST_ADDRESSES
}

/** What was not yet read in this call, until that is too much. */
export function* unread(items: Iterable<string>, seen: Seen): Generator<string> {
  for (const item of items) {
    if (seen.has(item)) continue
    seen.add(item)
    if (hasTooMany(seen)) return
    yield item
  }
}

/** Characters that relays read as a second address, or that quote one, and the sign for bytes that are no text. */
const TRICKY_LOCAL = /["%!\\@\s<>(),:;[\]\uFFFD]|=\?|\p{Cc}|\p{Cf}/u

const PLAIN_LOCAL = /^[a-z0-9._+-]+$/

/** One `name@host`, and nothing else. */
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
 * Reads "Ada <ada@example.com>, bob@example.com", `mailto:` links too. An address inside a display name is
 * read as well: some mailers take the first address they see, so both must be right. Only what is not `seen` is read.
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

/** A link is the list of those it writes to. Undefined: it cannot be read, or not for what is left to spend. */
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
 * Addresses that a display name shows; undefined when it has an `@` that is none, or words in the code of headers (`=?…?=`):
 * some programs decode them first and look for addresses afterwards.
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
 * Whether an address fits one of many patterns. They are found by their domain, so that a call full of addresses does not
 * cost as much again for each pattern. `*.example.com` stands for everything below it.
 */
export function createAddressSet(patterns: readonly Address[]): (address: Address) => boolean {
  const exact = group(patterns.filter(({ domain }) => !domain.startsWith('*.')))
  const below = group(patterns.filter(({ domain }) => domain.startsWith('*.')))
  // Most endings of a name of a hundred dots are none of a pattern, which their length tells.
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
