import { hasManyMarks } from '@hintgate/metadata'
import { parseAddresses, type Seen } from './addresses.ts'
import { canonicalDomain } from './domains.ts'
import type { Reading } from './reading.ts'
import { MOST_ADDRESSES } from './split-items.ts'

/** Where a value leads: hosts, and how much of it could not be read. */
export interface Targets {
  readonly domains: readonly string[]
  readonly unreadable: number
}

const UNREADABLE: Targets = { domains: [], unreadable: 1 }

/**
 * The hosts of a link, of addresses, or of bare names. Strict, because lists of what is allowed rest on it:
 * anything that two programs could read differently is unreadable. Only addresses that are not `seen` are read.
 */
export function readTargets(value: string | number | boolean, seen: Seen, reading: Reading): Targets {
  if (typeof value !== 'string') return UNREADABLE
  const text = value.trim()
  if (text === '') return { domains: [], unreadable: 0 }
  if (text.includes('://') || /^[/\\]{2}/.test(text)) return readLink(text)
  if (text.includes('@') || /^mailto:/i.test(text)) {
    const { addresses, unreadable } = parseAddresses(text, seen, reading)
    return { domains: addresses.map(({ domain }) => domain), unreadable }
  }
  return readNames(reading.split(text).distinct)
}

/** A backslash, a blank, or a name before an `@`: programs disagree about which host such a link has. */
const AMBIGUOUS = /[\s\\]|\p{Cc}|\p{Cf}|^[a-z][a-z0-9+.-]*:\/{0,3}[^/?#]*@/iu

const LONGEST_LINK = 16_384

function readLink(text: string): Targets {
  // The last takes longer to read than anything else of its length.
  if (text.length > LONGEST_LINK || AMBIGUOUS.test(text) || hasManyMarks(text)) return UNREADABLE
  try {
    const { hostname } = new URL(text.startsWith('//') ? `https:${text}` : text)
    const domain = hostname.startsWith('[') ? hostname : canonicalDomain(hostname)
    return domain === undefined || domain === '' ? UNREADABLE : { domains: [domain], unreadable: 0 }
  } catch {
    return UNREADABLE
  }
}

function readNames(items: ReadonlySet<string>): Targets {
  if (items.size > MOST_ADDRESSES) return UNREADABLE
  const domains: string[] = []
  let unreadable = 0
  for (const item of items) {
    const [host = ''] = item.split(/[/?#]/, 1)
    const domain = canonicalDomain(host.replace(/:\d{1,5}$/, ''))
    if (domain === undefined || !domain.includes('.')) unreadable += 1
    else domains.push(domain)
  }
  return { domains, unreadable }
}
