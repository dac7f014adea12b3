import { randomBytes } from 'node:crypto'
import type { Json } from './json.ts'
import {
  CLOSE_LIST,
  CLOSE_OBJECT,
  COLON,
  endOfString,
  isBeforeColon,
  OPEN_LIST,
  OPEN_OBJECT,
  QUOTE,
} from './json-text.ts'
import { hasTooManyShapes } from './too-many-shapes.ts'

export type Parsed =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly reason: string }

/**
 * Stands before the digits of a number that is kept exactly. Nobody outside this process should know it; and whoever did
 * could do nothing with it: a text that holds it is refused, and nothing but a number is ever written in its place.
 */
const EXACT = `\u0000${randomBytes(12).toString('hex')}:`
const EXACT_WRITTEN = new RegExp(
  `"${JSON.stringify(EXACT).slice(1, -1).replaceAll('\\', '\\\\')}(-?\\d+(?:\\.\\d+)?(?:[eE][+-]?\\d+)?)"`,
  'g',
)

/**
 * Parses JSON from outside. What comes back is what is checked *and* what is written on, so that two readers of
 * one text cannot disagree (of duplicate keys the last counts). Numbers that a double would round are kept,
 * digit for digit. Nesting is bounded before anything recurses into it, and so is how many members objects have, and how
 * many lists and objects there are: whoever makes hundreds of thousands of them keeps everybody else waiting.
 */
export function parseJson(
  text: string,
  maxDepth: number,
  maxMembers = Number.POSITIVE_INFINITY,
  maxItems = ITEMS_FOR_MEMBER * maxMembers,
): Parsed {
  if (exceedsDepth(text, maxDepth)) return { ok: false, reason: `nested more than ${maxDepth} deep` }
  const tooMany = findTooMany(text, maxMembers, maxItems)
  if (tooMany !== undefined) return { ok: false, reason: tooMany }
  if (hasTooManyShapes(text, MOST_SHAPES))
    return { ok: false, reason: `its objects have more than ${MOST_SHAPES} different shapes` }
  try {
    if (holdsMark(text)) return { ok: false, reason: 'it holds a mark that is not yours' }
    const kept = keepInexactNumbers(text, maxMembers / MEMBERS_FOR_INEXACT)
    if (kept === undefined) return { ok: false, reason: 'too many numbers that a double may round' }
    const value: unknown = JSON.parse(kept)
    if (kept !== text) markHolders(value)
    return { ok: true, value }
  } catch {
    return { ok: false, reason: 'not JSON' }
  }
}

/** As many take a tenth of a second or two. */
const MOST_SHAPES = 30_000

/** JSON has no other way to write it. */
const ESCAPED_NUL = '\\u0000'

/** However its letters are written. The text is not taken apart for that: whoever sends one such character would have it done twice. */
function holdsMark(text: string): boolean {
  for (let at = text.indexOf(ESCAPED_NUL); at >= 0; at = text.indexOf(ESCAPED_NUL, at + 1))
    if (spells(text, at + ESCAPED_NUL.length, EXACT.slice(1))) return true
  return false
}

function spells(text: string, from: number, word: string): boolean {
  let at = from
  for (const letter of word) {
    if (text.charAt(at) === letter) at += 1
    else if (isEscape(text.slice(at, at + ESCAPED_NUL.length), letter)) at += ESCAPED_NUL.length
    else return false
  }
  return true
}

function isEscape(written: string, letter: string): boolean {
  return /^\\u[\da-f]{4}$/i.test(written) && Number.parseInt(written.slice(2), 16) === letter.charCodeAt(0)
}

/** The counterpart of `parseJson`. */
export function writeJson(value: unknown): string {
  const text = JSON.stringify(value)
  return text.includes('\\u0000') ? text.replaceAll(EXACT_WRITTEN, '$1') : text
}

/** The digits of a number that is kept exactly; undefined for every other value. */
export function exactDigits(value: unknown): string | undefined {
  return typeof value === 'string' && value.startsWith(EXACT) ? value.slice(EXACT.length) : undefined
}

/** A text. Numbers that are kept exactly look like one in memory, but are none. */
export function isText(value: unknown): value is string {
  return typeof value === 'string' && exactDigits(value) === undefined
}

/** The value with such numbers as texts of their digits, for people to read. */
export function spellNumbers(value: unknown): unknown {
  const digits = exactDigits(value)
  if (digits !== undefined) return digits
  if (typeof value !== 'object' || value === null || !exactHolders.has(value)) return value
  if (Array.isArray(value)) return value.map(spellNumbers)
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, spellNumbers(part)]))
}

/** Where in what was parsed numbers are kept exactly: everything else need not be searched for them. */
const exactHolders = new WeakSet<object>()

function markHolders(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return exactDigits(value) !== undefined
  let isHolder = false
  if (Array.isArray(value)) for (const part of value) isHolder = markHolders(part) || isHolder
  else for (const key in value) isHolder = markHolders((value as Json)[key]) || isHolder
  if (isHolder) exactHolders.add(value)
  return isHolder
}

/** Whether numbers are kept exactly somewhere in an object that was parsed. */
export function holdsExactNumbers(value: object): boolean {
  return exactHolders.has(value)
}

/** What it takes to keep a number exactly would do for so many members. */
const MEMBERS_FOR_INEXACT = 5

/**
 * The text with every number that a double would change put into a string of ours; mostly the text itself. Undefined:
 * there are more than that of numbers that it may change.
 */
function keepInexactNumbers(text: string, most: number): string | undefined {
  if (!MAY_BE_INEXACT.test(text)) return text
  let kept = ''
  let from = 0
  let count = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    // Strings are most of a long text, and their ends are found fast.
    if (code === QUOTE) at = endOfString(text, at)
    else if (code === MINUS || (code >= ZERO && code <= NINE)) {
      const end = endOfNumber(text, at)
      if (end - at >= SHORTEST_INEXACT) {
        const digits = text.slice(at, end)
        const isPlain = isPlainlyExact(digits)
        // What needs a closer look counts, whatever it turns out to be: the look is what takes the time.
        if (!isPlain && ++count > most) return undefined
        // As a name of a member a number is no JSON, and must not become any.
        if (!isPlain && !isExact(digits) && WELL_FORMED.test(digits) && !isBeforeColon(text, end)) {
          kept += `${text.slice(from, at)}${JSON.stringify(EXACT + digits)}`
          from = end
        }
      }
      at = end - 1
    }
  }
  return from === 0 ? text : kept + text.slice(from)
}

/** A long number, or one with an exponent, or a text that looks like one; most texts have none, and finding out is cheap. */
const MAY_BE_INEXACT = /(?:^|[:,[\s])-?\d(?:[\d.]{14}|[\d.]*[eE])/

/** `1e999`: anything shorter is within the range of a double, and exact to the digits it has. */
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

/** Longer ones are not looked at more closely: nobody writes an ordinary number like that. */
const LONGEST_EXACT = 400

/** Below this, and above nothing, doubles have fewer figures the smaller they are. */
const SMALLEST_NORMAL = 2.2250738585072014e-308

/**
 * Whether one look tells that a double is the number. Short ones are, unless their exponent takes them out of its range or
 * to where it has few figures; of long ones those that are written as a double writes itself, as most programs do.
 */
function isPlainlyExact(digits: string): boolean {
  if (digits.length > LONGEST_WRITTEN) return false
  const value = Number(digits)
  const size = Math.abs(value)
  if (digits.length < 16)
    return size >= SMALLEST_NORMAL ? Number.isFinite(value) : value === 0 && !HAS_FIGURES.test(digits)
  // A whole number that is written like a double may still be another.
  if (size > Number.MAX_SAFE_INTEGER) return false
  return String(value) === digits || isWrittenElsewhere(digits, value)
}

/** As other programs write doubles: `1.2345678901234567e-05`, `0.250000000000000000`. */
function isWrittenElsewhere(digits: string, value: number): boolean {
  const [mantissa = '', exponent] = digits.split(POWER)
  if (exponent !== undefined)
    return value.toExponential() === `${mantissa}e${exponent.replace(PADDING, '$1')}`
  return digits.includes('.') && String(value) === digits.replace(TRAILING, '')
}

const POWER = /e/i
const PADDING = /^([+-]?)0+(?=\d)/
const TRAILING = /\.?0{1,40}$/
/** Longer ones are looked at more closely. */
const LONGEST_WRITTEN = 40
const HAS_FIGURES = /^[^eE]*[1-9]/

/** Whether a double is the number, however long it is written: `5.000…0` is 5, and everybody takes it for that. */
function isExact(digits: string): boolean {
  const value = Number(digits)
  if (digits.length > LONGEST_EXACT || !Number.isFinite(value)) return false
  const written = normalise(digits)
  if (written !== normalise(String(value))) return false
  // A double may be written like a whole number that it is not.
  return (
    !Number.isInteger(value) || Number.isSafeInteger(value) || written === normalise(String(BigInt(value)))
  )
}

/** The figures that count, and the power of ten of the last one. */
export function normalise(digits: string): string {
  const [mantissa = '', exponent = '0'] = digits.split(/[eE]/)
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.')
  const figures = whole + fraction
  let start = 0
  while (figures[start] === '0') start += 1
  let end = figures.length
  while (end > start && figures[end - 1] === '0') end -= 1
  if (start === end) return '0'
  const power = Number(exponent) - fraction.length + (figures.length - end)
  return `${mantissa.startsWith('-') ? '-' : ''}${figures.slice(start, end)}e${power}`
}

const WELL_FORMED = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/
const PLUS = 43
const COMMA = 44
const MINUS = 45
const DOT = 46
const ZERO = 48
const NINE = 57
const BIG_E = 69
const SMALL_E = 101

/** Whether a text has more brackets than that, wherever they stand: most have far fewer, and finding out is cheap. */
function hasMoreThan(text: string, count: number): boolean {
  let found = 0
  for (const bracket of ['{', '[']) {
    for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1))
      if (++found > count) return true
  }
  return false
}

function exceedsDepth(text: string, maxDepth: number): boolean {
  if (!hasMoreThan(text, maxDepth)) return false
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) at = endOfString(text, at)
    else if (code === CLOSE_LIST || code === CLOSE_OBJECT) depth -= 1
    else if (code === OPEN_LIST || code === OPEN_OBJECT) {
      depth += 1
      if (depth > maxDepth) return true
    }
  }
  return false
}

/** `[],`: a text that has fewer characters than that for each cannot have so many, and need not be looked through. */
const SHORTEST_MEMBER = 3

/** A number in a list is less work than a member with a name. */
const ITEMS_FOR_MEMBER = 10

function findTooMany(text: string, maxMembers: number, maxItems: number): string | undefined {
  if (text.length < SHORTEST_MEMBER * maxMembers) return undefined
  let members = 0
  let containers = 0
  let commas = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) at = endOfString(text, at)
    else if (code === COLON) members += 1
    else if (code === OPEN_LIST || code === OPEN_OBJECT) containers += 1
    else if (code === COMMA) commas += 1
    if (members > maxMembers || containers > maxMembers)
      return `more than ${maxMembers} members, or lists and objects`
    if (commas > maxItems) return `more than ${maxItems} items in lists`
  }
  return undefined
}
