import type { Finding } from '../text/finding.ts'

const MAX_LOCAL = 64
const DOMAIN = /(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,62})\.){1,8}[\p{L}]{2,24}(?![\p{L}\p{N}-])/uy
const LOCAL = /[\p{L}\p{N}.!#$%&'*+/=?^_`{|}~-]/u
/** Matches characters that a local part is allowed to start with, but that in practice come before the address. */
const LEADING = /^[.'`{|}=?&*/]+/

/** Matches `@`, both plain and as escaped in URLs, HTML, JSON and programs. */
const AT_SIGN = /@|%40|&#(?:0{0,4}64|[xX]0{0,4}40);|\\u(?:0040|\{0{0,4}40\})|\\x40/g

/** Finds e-mail addresses by their `@`, so that a text without one costs almost nothing. */
export function findEmails(text: string): readonly Finding[] {
  if (text.search(AT_SIGN) === -1) return []
  const found: Finding[] = []
  let floor = 0
  for (const { 0: sign, index: at } of text.matchAll(AT_SIGN)) {
    const end = endOfDomain(text, at + sign.length)
    if (end === undefined) continue
    const start = startOfLocal(text, at, floor)
    if (start === at || isPicture(text.slice(at + sign.length, end))) continue
    if (text.slice(start, at) === 'git' && opensPath(text, end)) continue
    found.push({ rule: 'email', start, end, confidence: 0.95 })
    floor = end
  }
  return found
}

/** True for the name of an image for high-resolution screens, such as `icon@2x.png`. */
function isPicture(domain: string): boolean {
  return /^[1-9](?:\.\d)?x\.(?:png|jpe?g|gif|webp|avif|svg|heic)$/i.test(domain)
}

/** True if a path follows, as in `git@github.com:acme/web.git`, where `git` is not a person. */
function opensPath(text: string, at: number): boolean {
  return /^:[\w~/.-]$/.test(text.slice(at, at + 2))
}

function endOfDomain(text: string, from: number): number | undefined {
  DOMAIN.lastIndex = from
  const match = DOMAIN.exec(text)
  return match === null ? undefined : from + match[0].length
}

function startOfLocal(text: string, at: number, floor: number): number {
  let start = at
  while (start > floor && at - start < MAX_LOCAL && isLocal(text.charCodeAt(start - 1))) start -= 1
  const leading = LEADING.exec(text.slice(start, at))
  return start + (leading?.[0].length ?? 0)
}

/** A table of the ASCII characters allowed in a local part, because every character before an `@` is tested. */
const LOCAL_ASCII: readonly boolean[] = Array.from({ length: 128 }, (_, code) =>
  LOCAL.test(String.fromCharCode(code)),
)

function isLocal(code: number): boolean {
  return LOCAL_ASCII[code] ?? LOCAL.test(String.fromCharCode(code))
}
