import { isJsonObject } from '../protocol/messages.ts'
import { writeJson } from '../protocol/parse-json.ts'

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
    chars += measureText(key, Number.POSITIVE_INFINITY) + 1
    chars += measureJson(object[key], max - chars)
  }
  return chars
}
