import { endOfString, isBeforeColon } from './json-text.ts'
import { type Id, isJsonObject, type Json } from './messages.ts'
import { type Parsed, parseJson } from './parse-json.ts'

const MAX_DEPTH = 200
/** Maximum number of members. Ten megabytes of rows have about as many; more take seconds to parse. */
const MAX_MEMBERS = 600_000
/** Maximum number of items in all lists together. */
const MAX_ITEMS = 1_800_000
/** Maximum number of different names, far more than any real schema has. */
const MAX_NAMES = 100_000

export function readServerJson(text: string): Parsed {
  if (hasTooManyNames(text, MAX_NAMES))
    return { ok: false, reason: `it has more than ${MAX_NAMES} different names` }
  return parseJson(text, MAX_DEPTH, MAX_MEMBERS, MAX_ITEMS)
}

/** The id of the request that an invalid response answers, so that the request fails now instead of timing out. */
export function answeredId(value: unknown): Id | undefined {
  const { id, method }: Json = isJsonObject(value) ? value : {}
  return method === undefined && (typeof id === 'string' || typeof id === 'number') ? id : undefined
}

/** `"a":1,`: the minimum length per name; shorter texts cannot exceed the limit and are not scanned. */
const SHORTEST_MEMBER = 4

/**
 * Whether the objects in a JSON text have more different names than the limit. Many uniform rows parse fast; names that
 * all differ take ten times as long to parse and to process.
 */
export function hasTooManyNames(text: string, most: number): boolean {
  if (text.length < SHORTEST_MEMBER * most) return false
  const names = new Set<string>()
  for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', at + 1)) {
    const end = endOfString(text, at)
    if (isBeforeColon(text, end + 1)) {
      names.add(text.slice(at + 1, end))
      if (names.size > most) return true
    }
    at = end
  }
  return false
}
