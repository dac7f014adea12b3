import { isIPv6 } from 'node:net'
import type { Finding } from '../text/finding.ts'

const V4 =
  /(?<![\w.:-])(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)\.){3}(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?![\w]|\.\d|-\d)/g
const V6 = /(?<![\w:.])(?:[0-9a-fA-F]{1,4})?(?::[0-9a-fA-F]{0,4}){2,7}(?![\w:])/g
/** Matches addresses that identify no person: this host, private networks, link-local, multicast, documentation. */
const NOT_PERSONAL =
  /^(?:0|10|127|22[4-9]|23\d|24\d|25\d)\.|^192\.168\.|^192\.0\.[02]\.|^198\.51\.100\.|^203\.0\.113\.|^169\.254\.|^172\.(?:1[6-9]|2\d|3[01])\.|^100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\./
const VERSION = /(?:version|release|\bver|\bv|firmware|build)[ .:]{0,3}$/i

/** Quick checks for the two kinds of addresses. Most texts with digits pass neither of them. */
const MAY_BE_V4 = /\d\.\d/
const MAY_BE_V6 = /:[\da-fA-F]{0,4}:/
const NONE: readonly Finding[] = []

/** Finds public IP addresses. Skips version numbers and private networks. */
export function findIpAddresses(text: string): readonly Finding[] {
  const v4 = MAY_BE_V4.test(text) ? findV4(text) : NONE
  return MAY_BE_V6.test(text) ? [...v4, ...findV6(text)] : v4
}

function findV4(text: string): readonly Finding[] {
  const found: Finding[] = []
  for (const { 0: written, index: start } of text.matchAll(V4)) {
    if (NOT_PERSONAL.test(written) || isVersion(text, start)) continue
    found.push({ rule: 'ip-address', start, end: start + written.length, confidence: 0.85 })
  }
  return found
}

function findV6(text: string): readonly Finding[] {
  const found: Finding[] = []
  for (const { 0: written, index: start } of text.matchAll(V6)) {
    if (!hasShapeOfV6(written) || !isIPv6(written) || /^f[cde]/i.test(written)) continue
    found.push({ rule: 'ip-address', start, end: start + written.length, confidence: 0.9 })
  }
  return found
}

/** True if an IPv6 address has at least three groups, and either all eight or a `::`. */
function hasShapeOfV6(written: string): boolean {
  const groups = written.split(':')
  return groups.filter(group => group !== '').length >= 3 && (groups.length === 8 || written.includes('::'))
}

/** Matches text that can come before a version number, as a quick check. */
const ENDS_VERSION = /[a-z][ .:]{0,3}$/i

function isVersion(text: string, at: number): boolean {
  return (
    ENDS_VERSION.test(text.slice(Math.max(0, at - 4), at)) &&
    VERSION.test(text.slice(Math.max(0, at - 12), at))
  )
}
