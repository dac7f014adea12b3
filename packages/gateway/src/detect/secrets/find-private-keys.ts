import { entropyOf } from '../text/entropy.ts'
import type { Finding } from '../text/finding.ts'

const BEGIN = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g
const END = '-----END '
/** Maximum length of a key. An RSA key of 16,384 bits has about 13,000 characters. */
const MAX_LENGTH = 20_000
/** Matches a line of base64, which the body of a real key contains. Dots, stars and words indicate a sample. */
const BODY = /[A-Za-z0-9+/]{40}/
const MIN_BODY = 64
/** Number of characters of the body, including headers, that are enough to tell a key from a sample. */
const ENOUGH = 500
const MIN_ENTROPY = 4
const MAX_CHECKED = 10_000

/** Finds private keys, from the first line to the last, or to the end of a truncated text. */
export function findPrivateKeys(text: string): readonly Finding[] {
  if (!text.includes('-----BEGIN ')) return []
  const found: Finding[] = []
  let end = -1
  let checked = 0
  for (const { 0: line, index } of text.matchAll(BEGIN)) {
    const from = index + line.length
    // The end is kept from one key to the next, because searching for it again from every first line would take
    // quadratic time.
    if (end !== text.length && end < from) end = nextEnd(text, from)
    const stop = Math.min(end, from + MAX_LENGTH)
    if (stop - from < MIN_BODY) continue
    checked += 1
    if (checked > MAX_CHECKED) {
      // Only hostile text has so many candidates. The rest of it counts as a secret.
      found.push({ rule: 'private-key', start: index, end: text.length, confidence: 0.95 })
      break
    }
    if (isBody(text.slice(from, Math.min(stop, from + ENOUGH))))
      found.push({ rule: 'private-key', start: index, end: stop, confidence: 0.95 })
  }
  return found
}

function isBody(body: string): boolean {
  return BODY.test(body) && entropyOf(body) > MIN_ENTROPY
}

function nextEnd(text: string, from: number): number {
  const at = text.indexOf(END, from)
  if (at === -1) return text.length
  const close = text.indexOf('-----', at + END.length)
  return close === -1 || close - at > 80 ? at : close + 5
}
