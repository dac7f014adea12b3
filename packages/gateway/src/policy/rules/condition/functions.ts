import ipaddr from 'ipaddr.js'
import { RE2JS } from 're2js'
import { reachesItsHost } from '../../facts/link-schemes.ts'
import { isMailto, unwrapMailto } from '../../facts/mailto.ts'
import { ConditionFault, type Meter } from './meter.ts'

const LONGEST_URL = 2_048
/** Matches characters that can make programs disagree about where the host in an address ends. */
const AMBIGUOUS = /[\s\\\p{Cc}\p{Cf}＠﹫\uFFFD]/u
const GOOD_NAME = /^(?:"[^"@<>\\]*"|[^"@<>,;\\]*)$/
/**
 * Matches a display name that contains a link, or an encoded word, which some programs decode before they look for
 * addresses.
 */
const TRICKY_NAME = /\/\/|=\?/
/**
 * Matches characters that must not occur in front of the `@`. Brackets and quotes separate a name from its address,
 * commas separate addresses, and mail relays route on `%` and `!`.
 */
const TRICKY_MAILBOX = /[,;:"()<>[\]%!]|=\?/
const WITH_SCHEME = /^[a-z][a-z0-9+.-]*:\/\//i
const PLAIN_HOST = /^[^/?#@:[\]%*]+$/
/** Matches hosts that need no normalisation. Most hosts need none. */
const SIMPLE_HOST = /^(?:[a-z0-9][a-z0-9-]*\.)+[a-z][a-z0-9-]*$/

/**
 * Whether an e-mail address, URL or host name belongs to a domain or one of its subdomains. Throws a fault for
 * ambiguous text such as `good.example,evil@bad.example`, because neither true nor false would be safe.
 */
export function isBelow(text: string, domain: string): boolean {
  const host = findHost(text)
  const wanted = normaliseDomain(domain)
  if (wanted === undefined) throw new ConditionFault('the second argument of domain() is not a domain')
  if (host === undefined)
    throw new ConditionFault('the first argument of domain() is not a single e-mail address, URL or host')
  return host === wanted || host.endsWith(`.${wanted}`)
}

/** Normalises a domain in a rule: `*.Example.COM.` and `@example.com` mean `example.com`. */
export function normaliseDomain(domain: string): string | undefined {
  return normaliseHost(domain.trim().replace(/^(?:\*\.|[.@])/, ''))
}

/** Returns the host to which a message or request would go. Returns undefined if that is ambiguous. */
export function findHost(text: string): string | undefined {
  if (text.length > LONGEST_URL) return undefined
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
  if (AMBIGUOUS.test(address)) return undefined
  const [mailbox = '', host = '', ...more] = address.split('@')
  // More than one `@` could mean several addresses or a quoted name.
  return mailbox === '' || more.length > 0 || TRICKY_MAILBOX.test(mailbox) ? undefined : normaliseHost(host)
}

/**
 * Matches text that is not a single URL: a list of links, text in which a mail program would find an address, or text
 * with a possible host before `://`.
 */
const NOT_ONE = /[<>"]|[,;][a-z][a-z0-9+.-]*:\/\/|^[a-z0-9+-]*\.[a-z0-9+.-]*:\/\//i
/** Matches an ending like that of `@host.name`, but not one like that of `@3.2.1`. */
const ENDS_AS_NAME = /\.[^\d.][^.]*\.?$/

function hostOfUrl(address: string): string | undefined {
  if (AMBIGUOUS.test(address) || NOT_ONE.test(address)) return undefined
  try {
    const link = new URL(WITH_SCHEME.test(address) ? address : `http://${address}`)
    if (!reachesItsHost(link)) return undefined
    const host = link.hostname === '' ? undefined : normaliseHost(link.hostname)
    return isMailedElsewhere(address, host) ? undefined : host
  } catch {
    return undefined
  }
}

/**
 * Whether a mail program would send to a different host. Such a program reads `x://good.example/,eve@bad.example` as
 * two addresses and `https://good.example/@bad.example` as one.
 */
function isMailedElsewhere(address: string, host: string | undefined): boolean {
  const at = address.lastIndexOf('@')
  if (at === -1) return false
  const comma = address.search(/[,;]/)
  if (comma !== -1 && comma < at) return true
  const mailed = address.slice(at + 1)
  return ENDS_AS_NAME.test(mailed) && ![undefined, host].includes(normaliseHost(mailed))
}

/** Normalises a host to lower case and punycode (`xn--…`), without the trailing dot. */
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

type Network = readonly [ipaddr.IPv4 | ipaddr.IPv6, number]

const LONGEST_ADDRESS = 64
/** Matches an address with a leading zero. Some programs read `010.1.1.1` as 8.1.1.1, others as 10.1.1.1. */
const LEADING_ZERO = /(?:^|\.)0\d/

/**
 * Whether an address is in a network. A host name is in no network. All spellings of an address are recognised, such as
 * `0x7f.1`, `2130706433` and `::ffff:127.0.0.1`.
 */
export function isInNetwork(address: string, network: string): boolean {
  const within = readNetwork(network)
  if (within === undefined) throw new ConditionFault('the second argument of cidr() is not a network')
  const ip = readAddress(address)
  if (ip === undefined) return false
  const [base, bits] = within
  return ip.kind() === base.kind() && ip.match(base, bits)
}

/** Reads a network or a single address. */
export function readNetwork(text: string): Network | undefined {
  if (text.length > LONGEST_ADDRESS || LEADING_ZERO.test(text)) return undefined
  try {
    if (text.includes('/')) return ipaddr.parseCIDR(text)
    const ip = ipaddr.process(text)
    return [ip, ip.kind() === 'ipv4' ? 32 : 128]
  } catch {
    return undefined
  }
}

function readAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  const bare = text
    .trim()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/%.*$/, '')
  if (bare.length > LONGEST_ADDRESS) return undefined
  const isAddress = ipaddr.isValid(bare)
  if (isAddress && LEADING_ZERO.test(bare))
    throw new ConditionFault(
      'the first argument of cidr() has leading zeros, which programs read differently',
    )
  return isAddress ? ipaddr.process(bare) : undefined
}

const listed = new WeakMap<object, readonly string[]>()

/** Returns all strings at any depth, so that nesting cannot evade a rule. Keys are not included. */
export function listTexts(value: unknown, meter: Meter): readonly string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  const known = listed.get(value)
  if (known !== undefined) return known
  meter.spend(meter.weight)
  const texts: string[] = []
  collect(value, texts)
  listed.set(value, texts)
  return texts
}

/** Recursion is safe, because the depth of arguments is limited when they are parsed. */
function collect(value: unknown, texts: string[]): void {
  if (typeof value === 'string') texts.push(value)
  else if (Array.isArray(value)) for (const item of value) collect(item, texts)
  else if (value instanceof Map) for (const item of value.values()) collect(item, texts)
}

const MAX_PATTERN = 1_000

interface Pattern {
  readonly matcher: RE2JS
  readonly unitsPerCharacter: number
  worked: number
}

const compiled = new Map<string, Pattern>()
const MAX_COMPILED = 10_000
/** After this much work a pattern is compiled again, because the cache inside a compiled pattern can grow to 8 MB. */
const MAX_WORK = 50_000_000

/** Returns what is wrong with a regular expression, or undefined if it is valid. */
export function findPatternFault(source: string): string | undefined {
  if (source.length > MAX_PATTERN) return `the pattern is longer than ${MAX_PATTERN} characters`
  try {
    compile(source)
    return undefined
  } catch (error) {
    const [why = ''] = String(error instanceof Error ? error.message : error).split('\n')
    return why.replace(/^error parsing regexp: /, '')
  }
}

/** Whether a regular expression matches anywhere in a text. Takes time proportional to the length of the text. */
export function isFound(text: string, source: string, meter: Meter): boolean {
  const pattern = compile(source)
  const units = text.length * pattern.unitsPerCharacter
  meter.spend(units)
  pattern.worked += units
  if (pattern.worked > MAX_WORK) compiled.delete(source)
  return pattern.matcher.test(text)
}

function compile(source: string): Pattern {
  const known = compiled.get(source)
  if (known !== undefined) return known
  if (source.length > MAX_PATTERN) throw new ConditionFault('the pattern of re() is too long')
  const matcher = RE2JS.compile(source)
  const pattern = { matcher, unitsPerCharacter: costOf(source, matcher.programSize()), worked: 0 }
  if (compiled.size >= MAX_COMPILED) compiled.clear()
  compiled.set(source, pattern)
  return pattern
}

/**
 * Returns the cost of matching one character with a pattern. Most patterns take the same few nanoseconds. However,
 * crafted text can make patterns that count (`a[ab]{14}`) run their whole program for each character. Both costs were
 * measured.
 */
function costOf(source: string, size: number): number {
  return /\{\d/.test(source) ? 10 + size * 40 : 10 + size / 4
}
