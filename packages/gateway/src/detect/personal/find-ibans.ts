import { isAlphanumeric } from '../text/characters.ts'
import { passesIban } from '../text/checksums.ts'
import type { Finding } from '../text/finding.ts'
import countries from './iban-lengths.json' with { type: 'json' }

/** Groups may be separated by any blanks, dots and dashes. */
const CANDIDATE =
  /(?<![A-Za-z0-9])[A-Za-z]{2}\d{2}(?:[\p{Zs}\p{Pd}.]{0,3}[A-Za-z0-9]{4}){2,7}(?:[\p{Zs}\p{Pd}.]{0,3}[A-Za-z0-9]{1,3})?(?![A-Za-z0-9])/gu

/** The length of an IBAN by country. Other lengths are not an IBAN, even with valid check digits. */
const LENGTHS = new Map(
  Object.entries(countries).flatMap(([length, codes]) =>
    codes.split(' ').map(country => [country, Number(length)] as const),
  ),
)

/** Bank accounts: both the country's length and the check digits must match. */
export function findIbans(text: string): readonly Finding[] {
  const found: Finding[] = []
  if (text.search(CANDIDATE) === -1) return found
  for (const { 0: written, index } of text.matchAll(CANDIDATE)) {
    const length = LENGTHS.get(written.slice(0, 2).toUpperCase())
    if (length === undefined) continue
    // The candidate may include part of the next word; the country determines the length.
    const cut = cutAfter(written, length)
    const iban = cut.replaceAll(/[^A-Za-z0-9]/g, '').toUpperCase()
    if (iban.length !== length || !passesIban(iban)) continue
    found.push({ rule: 'iban', start: index, end: index + cut.length, confidence: 0.98 })
  }
  return found
}

/** The beginning of a text with the given number of letters and digits. */
function cutAfter(written: string, length: number): string {
  let counted = 0
  for (let at = 0; at < written.length; at += 1) {
    if (isAlphanumeric(written.charCodeAt(at))) counted += 1
    if (counted === length) return written.slice(0, at + 1)
  }
  return written
}
