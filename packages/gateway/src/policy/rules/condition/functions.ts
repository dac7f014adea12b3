import ipaddr from 'ipaddr.js'
import { RE2JS } from 're2js'
import { reachesItsHost } from '../../facts/link-schemes.ts'
import { isMailto, unwrapMailto } from '../../facts/mailto.ts'
import { ConditionFault, type Meter } from './meter.ts'

const LONGEST_PLACE = 2_048
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
  if (text.length > LONGEST_PLACE) return undefined
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

type Network = readonly [ipaddr.IPv4 | ipaddr.IPv6, number]

const LONGEST_ADDRESS = 64
/** `010.1.1.1` is 8.1.1.1 to some programs and 10.1.1.1 to others. */
const LEADING_ZERO = /(?:^|\.)0\d/

/** A host name is in none; all ways to write an address count: `0x7f.1`, `2130706433`, `::ffff:127.0.0.1`. */
export function isInNetwork(address: string, network: string): boolean {
  const within = readNetwork(network)
  if (within === undefined) throw new ConditionFault('cidr() was given something that is no network')
  const ip = readAddress(address)
  if (ip === undefined) return false
  const [base, bits] = within
  return ip.kind() === base.kind() && ip.match(base, bits)
}

/** A network, or a single address. */
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
      'cidr() was given an address with leading zeros, which programs read differently',
    )
  return isAddress ? ipaddr.process(bare) : undefined
}

const listed = new WeakMap<object, readonly string[]>()

/** However deep, so that nothing passes a rule by standing one level lower. Keys are not among them. */
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

/** Arguments were bounded in depth when they came. */
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
/** What a pattern remembers of the texts it has seen grows up to 8 MB; after this much work it is compiled afresh. */
const MAX_WORK = 50_000_000

/** What is wrong with a regular expression; undefined if nothing is. */
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

/** Whether a regular expression is found in a text, in time proportional to its length. */
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
  if (source.length > MAX_PATTERN) throw new ConditionFault('re() was given too long a pattern')
  const matcher = RE2JS.compile(source)
  const pattern = { matcher, unitsPerCharacter: costOf(source, matcher.programSize()), worked: 0 }
  if (compiled.size >= MAX_COMPILED) compiled.clear()
  compiled.set(source, pattern)
  return pattern
}

/**
 * Most patterns take the same few nanoseconds for every character. Those that count (`a[ab]{14}`) can be made to go
 * through their whole program for each; both are measured.
 */
function costOf(source: string, size: number): number {
  return /\{\d/.test(source) ? 10 + size * 40 : 10 + size / 4
}
