import { decodeEscapes } from './escapes.ts'

const SCHEME = /^mailto:/i
/** Headers that name nobody. A line break in a subject begins another header. */
const NO_RECIPIENTS = /^(?:subject=[^\r\n]*|body=.*)$/is
/** Some programs begin a header behind each of these signs. */
const RECIPIENTS = /(?:^|[?;])(?:to|b?cc)=/i
const BREAK = /[\t\r\n]/
const BREAKS = /[\t\r\n]+/g
/** No program opens a longer one. */
const LONGEST_LINK = 8_192

export function isMailto(text: string): boolean {
  return SCHEME.test(text)
}

/**
 * Everybody whom a `mailto:` link may write to, with commas between them. A header that is not known may name somebody:
 * what programs make of `?x=1?cc=…` and of `&amp;cc=…` differs, so each address behind the question mark counts.
 * Undefined: the link is too long to be taken apart.
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
    .filter(mayNameSomebody)
    .map(header => header.slice(header.indexOf('=') + 1))
  return [decodeEscapes(text.slice(0, question)), ...more].filter(part => part !== '').join(',')
}

function mayNameSomebody(header: string): boolean {
  // Who reads it as a link drops these wherever they stand: `c<TAB>c=` is cc.
  const isHidden = BREAK.test(header) && RECIPIENTS.test(header.replaceAll(BREAKS, ''))
  return isHidden || RECIPIENTS.test(header) || (header.includes('@') && !NO_RECIPIENTS.test(header))
}
