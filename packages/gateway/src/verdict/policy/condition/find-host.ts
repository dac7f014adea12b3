import { ConditionFault } from './meter.ts'

const MAX_LENGTH = 2_048
/** Where the host of an address ends is read differently by different programs if any of these is in it. */
const TROUBLE = /[\s\\\p{Cc}\p{Cf}]/u
const GOOD_NAME = /^(?:"[^"@<>\\]*"|[^"@<>,;\\]*)$/
const WITH_SCHEME = /^[a-z][a-z0-9+.-]*:\/\//i
const PLAIN_HOST = /^[^/?#@:[\]%*]+$/
/** What is the same however one reads it; most hosts are. */
const SIMPLE_HOST = /^(?:[a-z0-9][a-z0-9-]*\.)+[a-z][a-z0-9-]*$/

/**
 * Whether an e-mail address, URL or host name belongs to a domain: is at it, or below it.
 *
 * What can be read in two ways is a fault, because neither yes nor no would be safe: `good.example,evil@bad.example`.
 */
export function isBelow(text: string, domain: string): boolean {
  const host = findHost(text)
  const wanted = normaliseDomain(domain)
  if (wanted === undefined) throw new ConditionFault('domain() was given something that is no domain')
  if (host === undefined)
    throw new ConditionFault('domain() was given something that is not one e-mail address, URL or host')
  return host === wanted || host.endsWith(`.${wanted}`)
}

/** `*.Example.COM.` and `@example.com` mean `example.com`. */
export function normaliseDomain(domain: string): string | undefined {
  return normaliseHost(domain.trim().replace(/^(?:\*\.|[.@])/, ''))
}

/** The host that a message or request would go to; undefined where that is not certain. */
export function findHost(text: string): string | undefined {
  if (text.length > MAX_LENGTH) return undefined
  const trimmed = text.trim()
  const bracket = trimmed.endsWith('>') ? trimmed.lastIndexOf('<') : -1
  if (bracket > 0 && !GOOD_NAME.test(trimmed.slice(0, bracket).trim())) return undefined
  const isNamed = bracket !== -1
  const address = isNamed ? trimmed.slice(bracket + 1, -1) : trimmed
  if (TROUBLE.test(address)) return undefined
  if (WITH_SCHEME.test(address)) return isNamed ? undefined : hostOfUrl(address)
  const bare = address.replace(/^mailto:/i, '')
  if (!bare.includes('@')) return bare !== address || isNamed ? undefined : hostOfUrl(`http://${bare}`)
  const [mailbox = '', host = '', ...more] = (bare === address ? bare : bare.replace(/\?.*$/, '')).split('@')
  // More than one @ or a comma: several addresses, or a name in quotes.
  return mailbox === '' || more.length > 0 || /[,;"()]/.test(mailbox) ? undefined : normaliseHost(host)
}

function hostOfUrl(address: string): string | undefined {
  try {
    const { hostname } = new URL(address)
    return hostname === '' ? undefined : normaliseHost(hostname)
  } catch {
    return undefined
  }
}

/** Lower case, without the dot at the end, and foreign letters as they travel (`xn--…`). */
function normaliseHost(host: string): string | undefined {
  if (host.startsWith('[') && host.endsWith(']')) return host.toLowerCase()
  if (SIMPLE_HOST.test(host) && !host.includes('xn--')) return host
  if (!PLAIN_HOST.test(host)) return undefined
  try {
    return new URL(`http://${host}`).hostname.replace(/\.$/, '') || undefined
  } catch {
    return undefined
  }
}
