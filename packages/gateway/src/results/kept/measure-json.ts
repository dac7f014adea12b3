import { isJsonObject } from '../../protocol/messages.ts'
import { writeJson } from '../../protocol/parse-json.ts'

/** A number that `parseJson` keeps exactly is longer in memory than on paper. */
const SLACK = 100

/** How many characters a value takes as JSON. Stops counting, with infinity, where it is clearly more than `max`. */
export function measureJson(value: unknown, max: number): number {
  const chars = typeof value === 'string' ? measureText(value, max) : measureOther(value, max)
  return chars > max ? Number.POSITIVE_INFINITY : chars
}

/** Writing tells how long it gets; most texts need no writing to know. */
function measureText(text: string, max: number): number {
  if (text.length > max + SLACK) return Number.POSITIVE_INFINITY
  return ESCAPED.test(text) ? writeJson(text).length : text.length + 2
}

/** Quotes, backslashes, surrogates (they may stand alone) and whatever comes before the space. */
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

/** The arrays and objects that take more than `max` characters, of a value and all in it. Goes through it once. */
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
