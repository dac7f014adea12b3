import { toCompatible } from '@hintgate/metadata'
import { canonicalDomain } from './domains.ts'

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

/** More different ones than this in one call are not looked at: the rule objects instead. */
export const MOST_ADDRESSES = 10_000
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

/** Characters that relays read as a second address, or that quote one. */
const TRICKY_LOCAL = /["%!\\@\s<>(),:;[\]]|\p{Cc}|\p{Cf}/u

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
export function parseAddresses(text: string, seen: Seen): AddressList {
  const addresses: Address[] = []
  let unreadable = 0
  for (const item of unread(splitItems(unwrapMailto(text.trim())), seen)) {
    const read = parseItem(item, seen)
    if (read === undefined) unreadable += 1
    else addresses.push(...read)
  }
  return { addresses, unreadable }
}

/** A link may name more recipients behind its question mark. */
function unwrapMailto(text: string): string {
  if (!text.includes(':') || !/^mailto:/i.test(text)) return text
  const [to = '', query = ''] = text.slice('mailto:'.length).split('?', 2)
  const more = query.split('&').flatMap(part => {
    const [name = '', value = ''] = part.split('=', 2)
    return /^(?:to|cc|bcc)$/i.test(name) ? [decode(value)] : []
  })
  return [decode(to), ...more].filter(part => part !== '').join(',')
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Parts between commas, semicolons and line breaks that stand in no quotes and no brackets. */
export function splitItems(text: string): readonly string[] {
  if (!/[",;<\n\r]/.test(text)) return text.trim() === '' ? [] : [text.trim()]
  const items: string[] = []
  let start = 0
  let isQuoted = false
  let isBracketed = false
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] ?? ''
    if (character === '\\' && isQuoted) {
      at += 1
      continue
    }
    if (character === '"') isQuoted = !isQuoted
    else if (!isQuoted && (character === '<' || character === '>')) isBracketed = character === '<'
    const isBreak = character === '\n' || character === '\r'
    // A line break ends an item even in quotes: that is how a header is smuggled in.
    if (isBreak || (!isQuoted && !isBracketed && (character === ',' || character === ';'))) {
      items.push(text.slice(start, at).trim())
      start = at + 1
      if (isBreak) isQuoted = false
    }
  }
  items.push(text.slice(start).trim())
  return items.filter(one => one !== '')
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

/** Addresses that a display name shows; undefined when it has an `@` that is none. */
function readInName(name: string, seen: Seen): readonly Address[] | undefined {
  if (!/[@＠﹫]/.test(name)) return []
  const words = toCompatible(name).split(/[\s"'(),;<>[\]]+/)
  const shown = words.filter(word => word.includes('@'))
  const read = Array.from(unread(shown, seen), parseAddress)
  return read.every(address => address !== undefined) ? read : undefined
}
