import { isDigit, isUpperCase } from '../../../detect/text/characters.ts'

/**
 * The effort that all rules together can spend on one call: about a quarter of a second, during which the event loop is
 * blocked. Effort is counted instead of timed, so that the same arguments always get the same result. One unit is the
 * cost for one rule of reading one plain character, about ten nanoseconds. The costs below were measured on worst-case
 * texts.
 */
export const MOST_EFFORT = 24 * 1024 * 1024

/** The costs of operations that take longer than reading a character, in units of effort. */
export const COST = {
  /** Visiting one value while walking through the arguments, and keeping its path. */
  step: 16,
  /** Starting to read a text, however short it is. */
  text: 32,
  /** Folding one character of a text outside ASCII. */
  fold: 8,
  /** Normalising one character of a text outside ASCII for a search (cheaper for Latin letters). */
  plain: 10,
  plainLatin: 1,
  /** Matching one character of a text outside ASCII against a pattern. */
  match: 4,
  /** Searching one character of a text outside ASCII for host names. */
  scan: 4,
  /** Splitting camel case, per character. */
  joint: 20,
  /** Reading one item of a list: an address, a name or a link. */
  item: 100,
  /** A dot in a search for host names. */
  dot: 24,
  oddHost: 400,
  /** Decoding a percent escape. */
  escape: 40,
  /** Checking a value that follows the name of a secret. */
  look: 600,
} as const

const NOT_PLAIN = /[^\t\n\v\f\r -~]/

/** Whether a text contains characters other than printable ASCII and white space. */
export function isOdd(text: string): boolean {
  return NOT_PLAIN.test(text)
}

const NOT_LATIN = /[^\t\n\v\f\r -~\u0080-\u00FF]/

export function effortToPlain(text: string): number {
  if (!isOdd(text)) return 0
  return (NOT_LATIN.test(text) ? COST.plain : COST.plainLatin) * text.length
}

export function effortToFold(text: string): number {
  return isOdd(text) ? COST.fold * text.length : 0
}

/**
 * Additional costs in a search for personal data. A digit can start any kind of number, a capital letter can start an
 * alphanumeric number, and an `@` is part of an address.
 */
const A_DIGIT = 50
const A_CAPITAL = 8
const AN_AT = 60
const AT = 64

/** Returns the cost of searching for personal data, in addition to one unit per character. */
export function effortForPii(plain: string): number {
  let effort = 0
  for (let at = 0; at < plain.length; at += 1) {
    const code = plain.charCodeAt(at)
    if (isDigit(code)) effort += A_DIGIT
    else if (isUpperCase(code)) effort += A_CAPITAL
    else if (code === AT) effort += AN_AT
  }
  return effort
}

/** Cost of each character that could separate a name from its secret. */
const A_SIGN = 16
/** Cost per character in a long run without blanks, because a key could start at any of them. */
const IN_RUN = 5
const LONG_RUN = 12
const BLANK = 32
const PERCENT = 37
const COLON = 58
const EQUALS = 61

export function effortForSecrets(plain: string): number {
  let signs = 0
  let inRuns = 0
  let start = 0
  for (let at = 0; at < plain.length; at += 1) {
    const code = plain.charCodeAt(at)
    if (code === COLON || code === EQUALS || code === PERCENT) signs += 1
    if (code <= BLANK) start = at + 1
    else if (at - start >= LONG_RUN) inRuns += at - start === LONG_RUN ? LONG_RUN : 1
  }
  return IN_RUN * inRuns + A_SIGN * signs
}

export function countOf(sign: string, text: string): number {
  let count = 0
  for (let at = text.indexOf(sign); at !== -1; at = text.indexOf(sign, at + 1)) count += 1
  return count
}
