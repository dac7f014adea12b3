import { isJsonObject } from '../../protocol/messages.ts'
import { isText, writeJson } from '../../protocol/parse-json.ts'

/** Tolerance for an exact number from `parseJson`, which takes more characters in memory than it has digits. */
const SLACK = 100

/** Returns the length of a value as JSON. Stops and returns infinity once the length clearly exceeds `max`. */
export function measureJson(value: unknown, max: number): number {
  const chars = typeof value === 'string' ? measureText(value, max) : measureOther(value, max)
  return chars > max ? Number.POSITIVE_INFINITY : chars
}

/** Returns the length of a text as JSON, in most cases without encoding it. */
function measureText(text: string, max: number): number {
  if (text.length > max + SLACK) return Number.POSITIVE_INFINITY
  return ESCAPED.test(text) ? writeJson(text).length : text.length + 2
}

/**
 * Matches characters that JSON escapes: quotes, backslashes, surrogates (which can be unpaired) and control characters.
 */
const ESCAPED = /["\\\ud800-\udfff]|[^ -\uffff]/

function measureOther(value: unknown, max: number): number {
  if (Array.isArray(value)) return measureItems(value, max)
  return isJsonObject(value) ? measureMembers(value, max) : String(value).length
}

function measureItems(items: readonly unknown[], max: number): number {
  let chars = 2 + Math.max(0, items.length - 1)
  for (const item of items) {
    if (chars > max) break
    chars += measureJson(item, max - chars)
  }
  return chars
}

function measureMembers(object: { readonly [key: string]: unknown }, max: number): number {
  const keys = Object.keys(object)
  let chars = 2 + Math.max(0, keys.length - 1)
  for (const key of keys) {
    if (chars > max) break
    chars += measureText(key, max - chars) + 1
    chars += measureJson(object[key], max - chars)
  }
  return chars
}

/** Returns the arrays and objects in a value that take more than `max` characters, in a single pass. */
export function findLong(value: unknown, max: number): ReadonlySet<object> {
  const long = new Set<object>()
  const measure = (one: unknown): number => {
    const chars = measureParts(one, measure)
    if (chars > max && isObject(one)) long.add(one)
    return chars
  }
  measure(value)
  return long
}

function measureParts(value: unknown, measure: (part: unknown) => number): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + measure(item) + 1, 1)
  if (!isJsonObject(value)) return measureJson(value, Number.POSITIVE_INFINITY)
  return Object.keys(value).reduce(
    (sum, key) => sum + measureJson(key, Number.POSITIVE_INFINITY) + measure(value[key]) + 2,
    1,
  )
}

export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

/**
 * Returns the end of the longest stretch from `from` on that takes at most `budget` characters of JSON, without
 * splitting a surrogate pair.
 */
export function endOfFitting(text: string, from: number, budget: number): number {
  let at = from
  let left = budget
  while (at < text.length) {
    const isPair = startsPair(text, at)
    left -= isPair ? 2 : writtenLength(text.charCodeAt(at))
    if (left < 0) break
    at += isPair ? 2 : 1
  }
  return at
}

/** Returns the last position at or before `at` where a text can be cut without splitting a surrogate pair. */
export function beforePair(text: string, at: number): number {
  return startsPair(text, at - 1) ? at - 1 : at
}

function startsPair(text: string, at: number): boolean {
  return isHigh(text.charCodeAt(at)) && isLow(text.charCodeAt(at + 1))
}

/** Returns the length of a character as `JSON.stringify` writes it. An unpaired surrogate is escaped. */
function writtenLength(code: number): number {
  if (code === QUOTE || code === BACKSLASH) return 2
  if (code < 0x20) return SHORT_ESCAPES.has(code) ? 2 : 6
  return isHigh(code) || isLow(code) ? 6 : 1
}

const QUOTE = 34
const BACKSLASH = 92
const SHORT_ESCAPES = new Set([8, 9, 10, 12, 13])

function isHigh(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff
}

function isLow(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff
}

/**
 * Returns as much of a value as fits into `budget` characters of JSON: arrays lose items, and texts lose characters.
 * For example, `previewJson({ total: 3, rows: [1, 2, 3] }, 25)` is `{ total: 3, rows: [1, 2] }`. Returns undefined if
 * not even empty brackets fit.
 */
export function previewJson(value: unknown, budget: number): unknown {
  if (measureJson(value, budget) <= budget) return value
  if (budget < FRAME) return undefined
  if (isText(value)) return value.slice(0, endOfFitting(value, 0, budget - FRAME))
  if (Array.isArray(value)) return previewItems(value, budget - FRAME)
  return isJsonObject(value) ? previewMembers(value, budget - FRAME) : undefined
}

/** The length of two quotes or brackets. */
const FRAME = 2

function previewItems(items: readonly unknown[], budget: number): unknown[] {
  const shown: unknown[] = []
  let left = budget
  for (const item of items) {
    const chars = measureJson(item, left)
    if (chars > left) break
    shown.push(item)
    left -= chars + 1
  }
  // If not even the first item fits, its beginning is shown.
  const [first] = items
  const beginning = shown.length === 0 ? previewJson(first, budget) : undefined
  return beginning === undefined ? shown : [beginning]
}

/**
 * Shows short members completely. Each long member gets half of the remaining space, and the last member gets all of
 * it.
 */
function previewMembers(object: object, budget: number): object {
  const members = Object.entries(object)
  const last = members.at(-1)?.[0]
  const shown: [string, unknown][] = []
  let left = budget
  for (const [key, value] of members) {
    const rest = left - JSON.stringify(key).length - ':,'.length
    const isShort = measureJson(value, rest) <= rest
    const preview = isShort ? value : previewJson(value, key === last ? rest : rest / 2)
    if (preview === undefined) continue
    shown.push([key, preview])
    left = rest - measureJson(preview, rest)
  }
  return Object.fromEntries(shown)
}
