import { isAlphanumeric } from '../text/characters.ts'
import { passesIban } from '../text/checksums.ts'
import type { Finding } from '../text/finding.ts'
import countries from './iban-lengths.json' with { type: 'json' }

/** Matches text that looks like an IBAN. Blanks, dots and dashes can separate the groups. */
const CANDIDATE =
  /(?<![A-Za-z0-9])[A-Za-z]{2}\d{2}(?:[\p{Zs}\p{Pd}.]{0,3}[A-Za-z0-9]{4}){2,7}(?:[\p{Zs}\p{Pd}.]{0,3}[A-Za-z0-9]{1,3})?(?![A-Za-z0-9])/gu

/** The length of an IBAN by country. A number with a different length is not an IBAN, even with valid check digits. */
const LENGTHS = new Map(
  Object.entries(countries).flatMap(([length, codes]) =>
    codes.split(' ').map(country => [country, Number(length)] as const),
  ),
)

/** Finds bank account numbers (IBANs). Both the length for the country and the check digits must be right. */
export function findIbans(text: string): readonly Finding[] {
  const found: Finding[] = []
  if (text.search(CANDIDATE) === -1) return found
  for (const { 0: written, index } of text.matchAll(CANDIDATE)) {
    const length = LENGTHS.get(written.slice(0, 2).toUpperCase())
    if (length === undefined) continue
    // The candidate can include part of the next word, so it is cut to the country's length.
    const cut = cutAfter(written, length)
    const iban = cut.replaceAll(/[^A-Za-z0-9]/g, '').toUpperCase()
    if (iban.length !== length || !passesIban(iban)) continue
    found.push({ rule: 'iban', start: index, end: index + cut.length, confidence: 0.98 })
  }
  return found
}

/** Returns the beginning of a text, up to the given number of letters and digits. */
function cutAfter(written: string, length: number): string {
  let counted = 0
  for (let at = 0; at < written.length; at += 1) {
    if (isAlphanumeric(written.charCodeAt(at))) counted += 1
    if (counted === length) return written.slice(0, at + 1)
  }
  return written
}
