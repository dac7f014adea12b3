import { randomBytes } from 'node:crypto'
import { countFigures, isExact, isPlainlyExact, isShortNumber } from './is-exact.ts'
import { isJsonObject, type Json } from './json.ts'
import { exceedsDepth, findTooMany, hasTooManyShapes } from './json-limits.ts'
import { BACKSLASH, endOfString, isBeforeColon, QUOTE } from './json-text.ts'

export type Parsed =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly reason: string }

/**
 * Marks the digits of a number that is kept exactly. The mark is random for each process. Even an attacker who knew it
 * would gain nothing: input that contains it is refused, and only a number is ever written in its place.
 */
const EXACT = `\u0000${randomBytes(12).toString('hex')}:`
/** The mark as it appears in JSON text, with the opening quote. */
const EXACT_BEGUN = JSON.stringify(EXACT).slice(0, -1)
const EXACT_WRITTEN = new RegExp(
  `${EXACT_BEGUN.replaceAll('\\', '\\\\')}(-?\\d+(?:\\.\\d+)?(?:[eE][+-]?\\d+)?)"`,
  'g',
)

/**
 * Parses untrusted JSON. Because the result is both checked and forwarded, two parsers cannot read the same text
 * differently (the last of duplicate keys wins). Numbers that a double would round keep all their digits. Nesting and
 * the numbers of members, lists and objects are limited before parsing, because parsing hundreds of thousands of them
 * blocks the event loop.
 */
export function parseJson(
  text: string,
  maxDepth: number,
  maxMembers = Number.POSITIVE_INFINITY,
  maxItems = ITEMS_FOR_MEMBER * maxMembers,
): Parsed {
  if (exceedsDepth(text, maxDepth)) return { ok: false, reason: `nested more than ${maxDepth} levels deep` }
  const tooMany = findTooMany(text, maxMembers, maxItems)
  if (tooMany !== undefined) return { ok: false, reason: tooMany }
  if (hasTooManyShapes(text, MOST_SHAPES))
    return { ok: false, reason: `its objects have more than ${MOST_SHAPES} different shapes` }
  try {
    if (holdsMark(text)) return { ok: false, reason: 'it contains a reserved marker' }
    const kept = keepInexactNumbers(text, maxMembers / MEMBERS_FOR_INEXACT)
    if (kept === undefined) return { ok: false, reason: 'too many numbers that a double might round' }
    const value: unknown = JSON.parse(kept)
    if (kept !== text) markHolders(value)
    return { ok: true, value }
  } catch {
    return { ok: false, reason: 'not JSON' }
  }
}

/** Parsing this many list items takes as long as parsing one named member. */
const ITEMS_FOR_MEMBER = 10

/** Maximum number of different object shapes. Parsing this many takes 0.1 to 0.2 seconds. */
const MOST_SHAPES = 30_000

/** The only way to write a NUL character in JSON. */
const ESCAPED_NUL = '\\u0000'
const MARK = EXACT.slice(1)

/** Whether a text contains the mark in any escaped form. The text is not parsed for this. */
function holdsMark(text: string): boolean {
  let at = text.indexOf(ESCAPED_NUL)
  while (at >= 0) {
    let behind = at + ESCAPED_NUL.length
    // NULs in a row are skipped one by one, because there can be millions, and starting a search for each would be
    // slow.
    while (isNulAt(text, behind)) behind += ESCAPED_NUL.length
    if (spells(text, behind, MARK)) return true
    at = text.indexOf(ESCAPED_NUL, behind)
  }
  return false
}

function isNulAt(text: string, at: number): boolean {
  for (let index = 0; index < ESCAPED_NUL.length; index++)
    if (text.charCodeAt(at + index) !== ESCAPED_NUL.charCodeAt(index)) return false
  return true
}

function spells(text: string, from: number, word: string): boolean {
  let at = from
  for (let index = 0; index < word.length; index++) {
    const code = word.charCodeAt(index)
    if (text.charCodeAt(at) === code) at += 1
    else if (isEscape(text, at, code)) at += ESCAPED_NUL.length
    else return false
  }
  return true
}

function isEscape(text: string, at: number, code: number): boolean {
  if (text.charCodeAt(at) !== BACKSLASH) return false
  const written = text.slice(at, at + ESCAPED_NUL.length)
  return /^\\u[\da-f]{4}$/i.test(written) && Number.parseInt(written.slice(2), 16) === code
}

/** Writes a value that `parseJson` read. The function has only one parameter, so that it can be passed to `map`. */
export function writeJson(value: unknown): string {
  return withDigits(JSON.stringify(value))
}

/** Writes a value as `writeJson` does, but on several lines, indented by `indent` spaces. */
export function writeLines(value: unknown, indent: number): string {
  return withDigits(JSON.stringify(value, undefined, indent))
}

function withDigits(text: string): string {
  return text.includes('\\u0000') ? text.replaceAll(EXACT_WRITTEN, '$1') : text
}

/** Returns the digits of a number that was kept exactly; undefined for every other value. */
export function exactDigits(value: unknown): string | undefined {
  return typeof value === 'string' && value.startsWith(EXACT) ? value.slice(EXACT.length) : undefined
}

/**
 * Whether a value is a string. Numbers that were kept exactly do not count, although they are (marked) strings in
 * memory.
 */
export function isText(value: unknown): value is string {
  return typeof value === 'string' && exactDigits(value) === undefined
}

/** Returns a value with its exact numbers as strings of digits, for people to read. */
export function spellNumbers(value: unknown): unknown {
  const digits = exactDigits(value)
  if (digits !== undefined) return digits
  if (typeof value !== 'object' || value === null || !exactHolders.has(value)) return value
  if (Array.isArray(value)) return value.map(spellNumbers)
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, spellNumbers(part)]))
}

/** The parsed documents that contain exact numbers, so that others need not be searched for them. */
const exactHolders = new WeakSet<object>()

function markHolders(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return exactDigits(value) !== undefined
  let isHolder = false
  if (Array.isArray(value)) for (const part of value) isHolder = markHolders(part) || isHolder
  else for (const key in value) isHolder = markHolders((value as Json)[key]) || isHolder
  if (isHolder) exactHolders.add(value)
  return isHolder
}

/** Notes that a value made of parsed parts contains exact numbers. */
export function noteExactNumbers(value: unknown): void {
  markHolders(value)
}

export function holdsExactNumbers(value: object): boolean {
  return exactHolders.has(value)
}

/** Keeping one number exactly takes as long as parsing this many members. */
const MEMBERS_FOR_INEXACT = 5

/**
 * Replaces every number that a double cannot represent exactly with a marked string. Most texts stay unchanged. Returns undefined if
 * there are more candidates than the limit.
 */
function keepInexactNumbers(text: string, most: number): string | undefined {
  if (!MAY_BE_INEXACT.test(text)) return text
  let kept = ''
  let from = 0
  let count = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    // Strings are skipped; they make up most of a long text.
    if (code === QUOTE) at = endOfString(text, at)
    else if (code === MINUS || (code >= ZERO && code <= NINE)) {
      const end = endOfNumber(text, at)
      const isLong = end - at >= SHORTEST_INEXACT && !isShortNumber(text, at, end)
      const digits = isLong ? text.slice(at, end) : ''
      const figures = countFigures(digits)
      if (isLong && !isPlainlyExact(digits, figures)) {
        // Every candidate counts towards the limit, because the check takes most of the time.
        if (++count > most) return undefined
        // A number in place of a member name is invalid JSON and must stay invalid.
        if (!isExact(digits, figures) && WELL_FORMED.test(digits) && !isBeforeColon(text, end)) {
          kept += `${text.slice(from, at)}${EXACT_BEGUN}${digits}"`
          from = end
        }
      }
      at = end - 1
    }
  }
  return from === 0 ? text : kept + text.slice(from)
}

/** Quickly finds long numbers and numbers with exponents, including those in strings. */
const MAY_BE_INEXACT = /(?:^|[:,[\s])-?\d(?:[\d.]{14}|[\d.]*[eE])/

/** The length of `1e999`. Every shorter number can be represented exactly by a double. */
const SHORTEST_INEXACT = 5

function endOfNumber(text: string, start: number): number {
  let at = start + 1
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at)
    const isPart =
      (code >= ZERO && code <= NINE) ||
      code === DOT ||
      code === MINUS ||
      code === PLUS ||
      code === BIG_E ||
      code === SMALL_E
    if (!isPart) break
  }
  return at
}

const WELL_FORMED = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/
const PLUS = 43
const MINUS = 45
const DOT = 46
const ZERO = 48
const NINE = 57
const BIG_E = 69
const SMALL_E = 101

/**
 * Writes a value as JSON with sorted keys, so that equal values give the same text. Exact numbers keep their digits.
 */
export function writeSorted(value: unknown): string {
  return writeJson(sorted(value))
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (!isJsonObject(value)) return value
  // `fromEntries` is used because an assignment would fail for the key `__proto__`.
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, part]) => [key, sorted(part)]),
  )
}
