/**
 * Returns the code unit at an offset, or 0 outside the text. NaN would slow down the detectors, which call this for
 * every character.
 */
export function codeAt(text: string, at: number): number {
  return at >= 0 && at < text.length ? text.charCodeAt(at) : 0
}

export function isDigit(code: number): boolean {
  return code >= 48 && code <= 57
}

export function isUpperCase(code: number): boolean {
  return code >= 65 && code <= 90
}

/** True for an ASCII letter or digit. */
export function isAlphanumeric(code: number): boolean {
  if (code >= 97) return code <= 122
  return code >= 65 ? code <= 90 : code >= 48 && code <= 57
}

/** True for the characters that `\w` matches. */
export function isWordCode(code: number): boolean {
  return isAlphanumeric(code) || code === 95
}

const BLANK = 32
const MINUS = 45
const DOT = 46
const OTHER_SEPARATOR = /^[\p{Zs}\p{Pd}]/u

/** True for separators between the groups of a number: blanks, dots and dashes of any kind. */
export function isSeparator(code: number): boolean {
  if (code < 128) return code === BLANK || code === MINUS || code === DOT
  return OTHER_SEPARATOR.test(String.fromCharCode(code))
}

/** A class of characters, as a pattern and as a function. */
export interface Kind {
  readonly pattern: RegExp
  readonly isOne: (code: number) => boolean
}

export const DIGITS: Kind = { pattern: /\d/g, isOne: isDigit }

/** The number of characters to check one by one first, because in a text full of numbers the next match is near. */
const NEAR = 4

/**
 * Returns the offset of the next character of a class, or the end of the text. A pattern searches prose many times as
 * fast as a loop, but is slow to start.
 */
export function nextPlace({ pattern, isOne }: Kind, text: string, from: number): number {
  const near = Math.min(from + NEAR, text.length)
  for (let at = from; at < near; at += 1) if (isOne(text.charCodeAt(at))) return at
  pattern.lastIndex = near
  return pattern.test(text) ? pattern.lastIndex - 1 : text.length
}
