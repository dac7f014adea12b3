import { passesLuhn } from './checksums.ts'
import type { Finding } from './finding.ts'
import { type Cues, hasCue } from './surroundings.ts'

const CANDIDATE = /(?<![\w.+])\d(?:[ -]?\d){11,18}(?![\w]|[.-]\d)/g
/** First digits of the networks' ranges: Visa, Mastercard, Amex, Diners, Discover, JCB, UnionPay, Maestro, Mir, RuPay. */
const NETWORK =
  /^(?:4|5[1-5]|2(?:2[2-9]|[3-6]|7[01]|720)|3[47]|3(?:0[0-5]|[689])|6(?:011|4[4-9]|5)|35|62|5[06-9]|6[0-9]|220[0-4]|8[12])/
const USUAL_LENGTHS = new Set([15, 16])
const CUES: Cues = {
  before: /card|\bcc\b|credit|debit|visa|mastercard|amex|maestro|payment|billed|karte|carte|tarjeta|carta/i,
}

/** Payment cards: a network's first digits and the check digit, and a word for it where the length is unusual. */
export function findCards(text: string): readonly Finding[] {
  const found: Finding[] = []
  for (const { 0: written, index } of text.matchAll(CANDIDATE)) {
    const digits = written.replaceAll(/\D/g, '')
    if (!NETWORK.test(digits) || !passesLuhn(digits) || new Set(digits).size < 2) continue
    const place = { start: index, end: index + written.length }
    const isCued = hasCue(text, place, CUES)
    if (!isCued && !USUAL_LENGTHS.has(digits.length)) continue
    found.push({ rule: 'card', ...place, confidence: isCued ? 0.98 : 0.85 })
  }
  return found
}
