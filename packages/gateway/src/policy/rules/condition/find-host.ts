import { reachesItsHost } from '../../facts/link-schemes.ts'
import { isMailto, unwrapMailto } from '../../facts/mailto.ts'
import { ConditionFault } from './meter.ts'

const MAX_LENGTH = 2_048
/** Where the host of an address ends is read differently by different programs if any of these is in it. */
const TROUBLE = /[\s\\\p{Cc}\p{Cf}＠﹫\uFFFD]/u
const GOOD_NAME = /^(?:"[^"@<>\\]*"|[^"@<>,;\\]*)$/
/** A name that is a link to others, or that some decode before they look for addresses. */
const TRICKY_NAME = /\/\/|=\?/
/** Brackets and quotes part a name from its address, commas one from another, and relays read on behind `%` and `!`. */
const TRICKY_MAILBOX = /[,;:"()<>[\]%!]|=\?/
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
  if (isMailto(trimmed)) return hostOfAddress(unwrapMailto(trimmed) ?? '')
  const bracket = trimmed.endsWith('>') ? trimmed.lastIndexOf('<') : -1
  if (bracket === -1)
    return trimmed.includes('@') && !WITH_SCHEME.test(trimmed) ? hostOfAddress(trimmed) : hostOfUrl(trimmed)
  const name = trimmed.slice(0, bracket).trim()
  if (!GOOD_NAME.test(name) || TRICKY_NAME.test(name)) return undefined
  return hostOfAddress(trimmed.slice(bracket + 1, -1).replace(/^mailto:/i, ''))
}

function hostOfAddress(address: string): string | undefined {
  if (TROUBLE.test(address)) return undefined
  const [mailbox = '', host = '', ...more] = address.split('@')
  // More than one @ or a comma: several addresses, or a name in quotes.
  return mailbox === '' || more.length > 0 || TRICKY_MAILBOX.test(mailbox) ? undefined : normaliseHost(host)
}

/** A list of links, what a mailer takes an address out of, and what may be a host before `://`. */
const NOT_ONE = /[<>"]|[,;][a-z][a-z0-9+.-]*:\/\/|^[a-z0-9+-]*\.[a-z0-9+.-]*:\/\//i
/** Of `@host.name`, but not of `@3.2.1`. */
const ENDS_AS_NAME = /\.[^\d.][^.]*\.?$/

function hostOfUrl(address: string): string | undefined {
  if (TROUBLE.test(address) || NOT_ONE.test(address)) return undefined
  try {
    const link = new URL(WITH_SCHEME.test(address) ? address : `http://${address}`)
    if (!reachesItsHost(link)) return undefined
    const host = link.hostname === '' ? undefined : normaliseHost(link.hostname)
    return isMailedElsewhere(address, host) ? undefined : host
  } catch {
    return undefined
  }
}

/** To a mailer `x://good.example/,eve@bad.example` is two addresses, and `https://good.example/@bad.example` one. */
function isMailedElsewhere(address: string, host: string | undefined): boolean {
  const at = address.lastIndexOf('@')
  if (at === -1) return false
  const comma = address.search(/[,;]/)
  if (comma !== -1 && comma < at) return true
  const mailed = address.slice(at + 1)
  return ENDS_AS_NAME.test(mailed) && ![undefined, host].includes(normaliseHost(mailed))
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
