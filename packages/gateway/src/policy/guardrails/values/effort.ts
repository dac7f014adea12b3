import { isDigit, isUpperCase } from '../../../detect/text/characters.ts'

/**
 * What all rules together may take of one call: about a quarter of a second, in which everybody waits. Counted and not
 * timed, because the same arguments get the same answer always. One is what a plain character takes one rule, ten
 * billionths of a second; the costs below are those of texts that are nothing but the worst of their kind.
 */
export const MOST_EFFORT = 24 * 1024 * 1024

/** What is dearer than a character. */
export const COST = {
  /** A value that a walk comes by, with its path. */
  step: 16,
  /** A text that a rule looks at, however short it is. */
  text: 32,
  /** A character of a text that is not plain: where it is read as the eye reads it, */
  fold: 8,
  /** where it is undressed for a search (western letters are soon done), */
  plain: 10,
  plainLatin: 1,
  /** for each pattern, */
  match: 4,
  /** and where hosts are looked for. */
  scan: 4,
  /** A character of a text whose joined words are taken apart. */
  joint: 20,
  /** What a list lists: an address, a name, a link. */
  item: 100,
  /** A dot, where hosts are looked for, and a host that has to be spelt in another way to be compared. */
  dot: 24,
  oddHost: 400,
  /** `%` before two digits, which stand for a character. */
  escape: 40,
  /** What stands behind the name of a secret. */
  look: 600,
} as const

const NOT_PLAIN = /[^\t\n\v\f\r -~]/

/** Whether a text has anything but what is typed on every keyboard. */
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

/** A digit may begin a number of any kind, a capital one that has letters too; an `@` stands in an address. */
const A_DIGIT = 50
const A_CAPITAL = 8
const AN_AT = 60
const AT = 64

/** What it takes to look for personal data, beside one for every character. */
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

/** A sign that may stand between a name and its secret. */
const A_SIGN = 16
/** In a run without blanks that is as long as a key any character may begin one. */
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
