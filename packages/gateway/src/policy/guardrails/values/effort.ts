import { isDigit, isUpperCase } from '../../../detect/text/characters.ts'

/**
 * The budget for all rules on one call: about a quarter of a second, during which the event loop is blocked. Effort is
 * counted, not timed, so that the same arguments always get the same result. One unit is one plain character for one
 * rule, about ten nanoseconds; the costs below were measured on worst-case texts.
 */
export const MOST_EFFORT = 24 * 1024 * 1024

/** The cost of operations that take longer than reading a character. */
export const COST = {
  /** A value visited in a traversal, with its path. */
  step: 16,
  /** A text that a rule reads, however short. */
  text: 32,
  /** One character of a text outside ASCII: folding look-alikes, */
  fold: 8,
  /** normalising it for a search (cheaper for Latin letters), */
  plain: 10,
  plainLatin: 1,
  /** matching one pattern, */
  match: 4,
  /** and searching it for hosts. */
  scan: 4,
  /** One character of a text whose camel case is split. */
  joint: 20,
  /** One item of a list: an address, a name, a link. */
  item: 100,
  /** A dot in a search for hosts, and a host that needs normalising before it is compared. */
  dot: 24,
  oddHost: 400,
  /** A percent escape. */
  escape: 40,
  /** A candidate value after the name of a secret. */
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

/** A digit may start a number of any kind, a capital letter an alphanumeric one, and an `@` is part of an address. */
const A_DIGIT = 50
const A_CAPITAL = 8
const AN_AT = 60
const AT = 64

/** The cost of searching for personal data, in addition to one unit per character. */
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

/** A character that may separate a name from its secret. */
const A_SIGN = 16
/** In a run without blanks that is as long as a key, a key may start at any character. */
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
