import { domainToASCII, domainToUnicode } from 'node:url'
import { foldLookAlikes } from '@hintgate/metadata'
import { decodeEscapes, hasEscapes } from '../../facts/escapes.ts'
import { COST, countOf } from './effort.ts'
import type { Reading } from './reading.ts'

/** DNS allows names of at most 255 characters and 127 labels. */
const LONGEST_NAME = 255
const PLAIN = /^[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63}){0,126}$/

/**
 * Normalises a host name to lower case and punycode, without a trailing dot. Returns undefined if the text is not a
 * host name.
 */
export function canonicalDomain(written: string): string | undefined {
  const lowered = written.toLowerCase().replace(/\.$/, '')
  if (lowered.length > LONGEST_NAME) return undefined
  if (PLAIN.test(lowered)) return lowered
  if (/[\s/\\@:?#%<>"'[\]()]/.test(lowered)) return undefined
  const ascii = domainToASCII(lowered).replace(/\.$/, '')
  return PLAIN.test(ascii) ? ascii : undefined
}

/** A list of domains; `*.example.com` matches all subdomains. */
export interface DomainSet {
  /** For allowlists. Matches exactly the listed names, and the subdomains of names that start with `*.`. */
  readonly allows: (domain: string) => boolean
  /** For blocklists. Matches the listed names, their subdomains, and look-alikes of both. */
  readonly catches: (domain: string) => boolean
}

export function isDomainPattern(pattern: string): boolean {
  return canonicalDomain(pattern.replace(/^\*\./, '')) !== undefined
}

export function createDomainSet(patterns: readonly string[]): DomainSet {
  const exact = new Set<string>()
  const below = new Set<string>()
  for (const pattern of patterns) {
    const domain = canonicalDomain(pattern.replace(/^\*\./, ''))
    if (domain !== undefined) (pattern.startsWith('*.') ? below : exact).add(domain)
  }
  const all = new Set([...exact, ...below])
  const looks = new Set(Array.from(all, appearance))
  return {
    allows: domain => exact.has(domain) || hasParent(domain, below),
    catches: domain => {
      if (all.has(domain) || hasParent(domain, all)) return true
      if (PLAIN.test(domain) && !domain.includes('xn--')) return false
      const seen = appearance(domain)
      return looks.has(seen) || hasParent(seen, looks)
    },
  }
}

/** Whether a name is a subdomain of a name in the set: `a.b.c` is a subdomain of `b.c` and of `c`. */
function hasParent(domain: string, set: ReadonlySet<string>): boolean {
  if (set.size === 0) return false
  for (let dot = domain.indexOf('.'); dot !== -1; dot = domain.indexOf('.', dot + 1)) {
    if (set.has(domain.slice(dot + 1))) return true
  }
  return false
}

/** Returns the name as a person would read it, with look-alike letters folded. */
function appearance(domain: string): string {
  return foldLookAlikes(domain.includes('xn--') ? domainToUnicode(domain) : domain)
}

/**
 * Matches a possible host name. A match can start only where a name begins, so that every name is tried once. Leading
 * underscores and dashes are included.
 */
const HOST_LIKE =
  /(?<![\p{L}\p{N}_-])[_-]*[\p{L}\p{N}][\p{L}\p{N}_-]{0,62}(?:\.[\p{L}\p{N}_-]{1,63}){1,126}/gu
const ASCII_HOST = /(?<![a-z0-9_-])[_-]*[a-z0-9][a-z0-9_-]{0,62}(?:\.[a-z0-9_-]{1,63}){1,126}/g
const INNER_DOT = /\.[A-Za-z0-9_-]/
const NOT_PLAIN = /[^\t\n\r -~]/
export const OTHER_DOTS = /[\u3002\uFF0E\uFF61\u2024]/g

/**
 * Matches a possible host name that contains tabs or line breaks, which URL parsers drop: `http://paste<TAB>bin.com`
 * means pastebin.com. A match starts at the delimiter before the name, so that every delimiter is tried once.
 */
const BROKEN_HOST = /[:/\\@][\t\r\n]*[^\s:/\\@?#]+(?:[\t\r\n]+[^\s:/\\@?#]+)+/g
const BREAKS = /[\t\r\n]+/g

function withRepairedHosts(text: string): string {
  const broken = text.match(BROKEN_HOST)
  return broken === null ? text : `${text} ${broken.join(' ').replaceAll(BREAKS, '')}`
}

/** Returns every distinct host name in a text, including those in addresses and links. */
export function scanDomains(written: string, reading: Reading): readonly string[] {
  if (!/[.\u3002\uFF0E\uFF61\u2024%]/.test(written)) return NONE
  const text = withRepairedHosts(written)
  if (!reading.spend(text.length - written.length)) return NONE
  if (!reading.spend(COST.dot * countOf('.', text))) return NONE
  const isEscaped = hasEscapes(text)
  if (!NOT_PLAIN.test(text) && !isEscaped) {
    // If all dots in a text end sentences, it contains no host name.
    const found = INNER_DOT.test(text) ? distinct(text.toLowerCase().match(ASCII_HOST) ?? []) : NONE
    return mayCompare(found, reading) ? withTrimmedHosts(found) : NONE
  }
  if (!reading.spend(COST.scan * text.length * (isEscaped ? 2 : 1) + COST.escape * countOf('%', text)))
    return NONE
  // The text is read with and without decoding, because a percent sign can start an escape or stand before a name:
  // `%decade.com`.
  const both = isEscaped ? `${text} ${decodeEscapes(text)}` : text
  const plain = reading.plain(both).replaceAll(OTHER_DOTS, '.')
  const found = distinct(plain.match(HOST_LIKE) ?? [])
  if (!mayCompare(found, reading)) return NONE
  return withTrimmedHosts(found).map(host => canonicalDomain(host) ?? host.toLowerCase())
}

const NONE: readonly string[] = []

function mayCompare(hosts: readonly string[], reading: Reading): boolean {
  return reading.spend(COST.oddHost * hosts.filter(needsNormalising).length)
}

const MARKUP_AROUND = /^[_-]|[_-]$/

/** Adds each host name without leading and trailing `_` or `-`, because `_evil.com_` is italic text in Markdown. */
function withTrimmedHosts(hosts: readonly string[]): readonly string[] {
  const bare = hosts.filter(host => MARKUP_AROUND.test(host)).map(trimMarkup)
  return bare.length === 0 ? hosts : [...hosts, ...bare]
}

function trimMarkup(host: string): string {
  let start = 0
  let end = host.length
  while (start < end && isMarkup(host[start])) start += 1
  while (end > start && isMarkup(host[end - 1])) end -= 1
  return host.slice(start, end)
}

function isMarkup(sign: string | undefined): boolean {
  return sign === '_' || sign === '-'
}

function needsNormalising(host: string): boolean {
  return NOT_PLAIN.test(host) || host.includes('xn--')
}

/**
 * Removes duplicates. Only the last 255 characters of each name are kept: if a match is longer, the name is at its end.
 */
function distinct(hosts: readonly string[]): readonly string[] {
  return Array.from(new Set(hosts.map(host => host.slice(-LONGEST_NAME))))
}
