import { isIPv6 } from 'node:net'
import { codeAt, isDigit, isWordCode } from '../text/characters.ts'
import type { Finding } from '../text/finding.ts'

const V4 =
  /(?<![\w.:-])(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)\.){3}(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?![\w]|\.\d|-\d)/y
const V6 = /(?<![\w:.])(?:[0-9a-fA-F]{1,4})?(?::[0-9a-fA-F]{0,4}){2,7}(?![\w:])/y
/** Nobody's own: this host, private networks, link-local, multicast, documentation. */
const NOBODYS =
  /^(?:0|10|127|22[4-9]|23\d|24\d|25\d)\.|^192\.168\.|^192\.0\.[02]\.|^198\.51\.100\.|^203\.0\.113\.|^169\.254\.|^172\.(?:1[6-9]|2\d|3[01])\.|^100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\./
const VERSION = /(?:version|release|\bver|\bv|firmware|build)[ .:]{0,3}$/i

/** What every address of either kind has in it; most texts with a number have neither. */
const MAY_BE_V4 = /\d\.\d/
const MAY_BE_V6 = /:[\da-fA-F]{0,4}:/
const NONE: readonly Finding[] = []

/** Internet addresses that lead to someone; versions and private networks lead to nobody. */
export function findIpAddresses(text: string): readonly Finding[] {
  const v4 = MAY_BE_V4.test(text) ? findV4(text) : NONE
  return MAY_BE_V6.test(text) ? [...v4, ...findV6(text)] : v4
}

function findV4(text: string): readonly Finding[] {
  const found: Finding[] = []
  // From dot to dot: the first of an address has at most three digits before it.
  for (let dot = text.indexOf('.'); dot !== -1; dot = text.indexOf('.', dot + 1)) {
    const start = startOfDigits(text, dot)
    if (start === dot) continue
    V4.lastIndex = start
    const written = V4.exec(text)?.[0]
    if (written === undefined) continue
    dot = start + written.length - 1
    if (NOBODYS.test(written) || isVersion(text, start)) continue
    found.push({ rule: 'ip-address', start, end: dot + 1, confidence: 0.85 })
  }
  return found
}

function findV6(text: string): readonly Finding[] {
  const found: Finding[] = []
  let done = 0
  for (let colon = text.indexOf(':'); colon !== -1; colon = text.indexOf(':', colon + 1)) {
    const start = startOfGroup(text, colon)
    if (start < done || !mayBegin(text, start)) continue
    V6.lastIndex = start
    const written = V6.exec(text)?.[0]
    if (written === undefined) continue
    done = start + written.length
    colon = done - 1
    if (!hasShapeOfV6(written) || !isIPv6(written) || /^f[cde]/i.test(written)) continue
    found.push({ rule: 'ip-address', start, end: done, confidence: 0.9 })
  }
  return found
}

const LONGEST_PART = 3
const LONGEST_GROUP = 4

function startOfDigits(text: string, dot: number): number {
  let start = dot
  while (dot - start < LONGEST_PART && isDigit(codeAt(text, start - 1))) start -= 1
  return start
}

function startOfGroup(text: string, colon: number): number {
  let start = colon
  while (colon - start < LONGEST_GROUP && isHex(codeAt(text, start - 1))) start -= 1
  return start
}

/** Not within a word, or behind what is part of an address already. */
function mayBegin(text: string, at: number): boolean {
  const before = codeAt(text, at - 1)
  return !isWordCode(before) && before !== COLON && before !== DOT
}

const DOT = 46
const COLON = 58

function isHex(code: number): boolean {
  return isDigit(code) || (code >= 97 && code <= 102) || (code >= 65 && code <= 70)
}

/** At least three groups, and either all eight or one place where some were left out. */
function hasShapeOfV6(written: string): boolean {
  const groups = written.split(':')
  return groups.filter(group => group !== '').length >= 3 && (groups.length === 8 || written.includes('::'))
}

/** What a version ends with before its number, so that most places need no closer look. */
const ENDS_VERSION = /[a-z][ .:]{0,3}$/i

function isVersion(text: string, at: number): boolean {
  return (
    ENDS_VERSION.test(text.slice(Math.max(0, at - 4), at)) &&
    VERSION.test(text.slice(Math.max(0, at - 12), at))
  )
}
