import { decodeEscapes } from './escapes.ts'

const SCHEME = /^mailto:/i
/** Headers that contain no recipients. A subject must not contain a line break, which would start another header. */
const NO_RECIPIENTS = /^(?:subject=[^\r\n]*|body=.*)$/is
/** A header with recipients. Some programs begin a new header after each of the characters `?` and `;`. */
const RECIPIENTS = /(?:^|[?;])(?:to|b?cc)=/i
const BREAK = /[\t\r\n]/
const BREAKS = /[\t\r\n]+/g
/** Maximum length of a link, in characters. Mail programs do not open longer ones. */
const LONGEST_LINK = 8_192

export function isMailto(text: string): boolean {
  return SCHEME.test(text)
}

/**
 * Returns every possible recipient of a `mailto:` link, separated by commas. Programs read `?x=1?cc=…` and `&amp;cc=…`
 * differently, so every address after the question mark counts. Returns undefined if the link is too long to parse.
 */
export function unwrapMailto(link: string): string | undefined {
  if (link.length > LONGEST_LINK) return undefined
  const text = link.replace(SCHEME, '')
  const question = text.indexOf('?')
  if (question === -1) return decodeEscapes(text)
  const more = text
    .slice(question + 1)
    .split('&')
    .map(decodeEscapes)
    .filter(mayHoldRecipient)
    .map(header => header.slice(header.indexOf('=') + 1))
  return [decodeEscapes(text.slice(0, question)), ...more].filter(part => part !== '').join(',')
}

function mayHoldRecipient(header: string): boolean {
  // URL parsers drop tabs and line breaks everywhere, so `c<TAB>c=` means `cc=`.
  const isHidden = BREAK.test(header) && RECIPIENTS.test(header.replaceAll(BREAKS, ''))
  return isHidden || RECIPIENTS.test(header) || (header.includes('@') && !NO_RECIPIENTS.test(header))
}
