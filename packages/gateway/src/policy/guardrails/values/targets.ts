import { hasManyMarks } from '@hintgate/metadata'
import { reachesItsHost } from '../../facts/link-schemes.ts'
import { isMailto } from '../../facts/mailto.ts'
import { parseAddresses, type Seen } from './addresses.ts'
import { canonicalDomain } from './domains.ts'
import type { Reading } from './reading.ts'
import { MOST_ADDRESSES } from './split-items.ts'

export interface Targets {
  readonly domains: readonly string[]
  readonly unreadable: number
}

/**
 * The kind of value that tools expect in a field. It matters because a mail program finds recipients in text that a
 * browser would read as a single link.
 */
export type Expected = 'recipients' | 'links'

interface Search {
  readonly expected: Expected
  readonly seen: Seen
  readonly reading: Reading
}

const NOWHERE: Targets = { domains: [], unreadable: 0 }
const UNREADABLE: Targets = { domains: [], unreadable: 1 }

/**
 * Reads the hosts in a link, in addresses, or in bare names. The reading is strict, because allowlists depend on it:
 * anything that two programs could read differently counts as unreadable. Addresses in `seen` are skipped.
 */
export function readTargets(value: string | number | boolean, search: Search): Targets {
  const { expected, seen, reading } = search
  if (typeof value !== 'string') return expected === 'links' && isNotHost(value) ? NOWHERE : UNREADABLE
  const text = value.trim()
  if (text === '') return NOWHERE
  const isMail = isMailto(text)
  if (!isMail && (text.includes('://') || /^[/\\]{2}/.test(text))) return readLink(text, AMBIGUOUS[expected])
  if (isMail || text.includes('@')) {
    const { addresses, unreadable } = parseAddresses(text, seen, reading)
    return { domains: addresses.map(({ domain }) => domain), unreadable }
  }
  // A URL parser joins lines, so two lines with `good.com` become `good.comgood.com`.
  return LINE_BREAK.test(text) ? UNREADABLE : readNames(reading.split(text).distinct)
}

const LINE_BREAK = /[\r\n]/

/** The lowest routable IPv4 address, 1.0.0.0, as a number. */
const FIRST_ADDRESS = 2 ** 24

/**
 * Whether a value cannot be a host. `follow_links: true` and `max_urls: 50` are not hosts, but `host: 2130706433` means
 * 127.0.0.1, and 0 means this machine.
 */
function isNotHost(value: number | boolean): boolean {
  return typeof value === 'boolean' || (value > 0 && value < FIRST_ADDRESS)
}

/**
 * Matches links that programs could interpret as having different hosts: links with a backslash, a blank, a dot before
 * `://`, or a name before an `@`.
 */
const UNCLEAR_HOST =
  /[\s\\]|\p{Cc}|\p{Cf}|^[a-z0-9+-]*\.[a-z0-9+.-]*:|^(?:[a-z][a-z0-9+.-]*:)?\/{0,3}[^/?#]*@/iu

/**
 * Characters after which a value is not clearly a link. In a field for recipients: any character that suggests an address
 * or a list. In a field for links: any character that no URL contains.
 */
const AMBIGUOUS: Readonly<Record<Expected, RegExp>> = {
  recipients: /[@＠﹫<>,;"]/,
  links: /[<>"]|[,;][a-z][a-z0-9+.-]*:\/\//i,
}

const LONGEST_LINK = 16_384

function readLink(text: string, ambiguous: RegExp): Targets {
  if (text.length > LONGEST_LINK || UNCLEAR_HOST.test(text) || ambiguous.test(text)) return UNREADABLE
  // Texts with many combining marks are not parsed, because that would be very slow.
  if (hasManyMarks(text)) return UNREADABLE
  try {
    const link = new URL(text.startsWith('//') ? `https:${text}` : text)
    if (!reachesItsHost(link)) return UNREADABLE
    const { hostname } = link
    const domain = hostname.startsWith('[') ? hostname : canonicalDomain(hostname)
    return domain === undefined || domain === '' ? UNREADABLE : { domains: [domain], unreadable: 0 }
  } catch {
    return UNREADABLE
  }
}

/** Matches characters that occur in addresses, but neither in host names nor in paths. */
const NO_NAME = /[\s＠﹫<>"]/

function readNames(items: ReadonlySet<string>): Targets {
  if (items.size > MOST_ADDRESSES) return UNREADABLE
  const domains: string[] = []
  let unreadable = 0
  for (const item of items) {
    const [host = ''] = item.split(/[/?#]/, 1)
    const domain = NO_NAME.test(item) ? undefined : canonicalDomain(host.replace(/:\d{1,5}$/, ''))
    if (domain === undefined || !domain.includes('.')) unreadable += 1
    else domains.push(domain)
  }
  return { domains, unreadable }
}
