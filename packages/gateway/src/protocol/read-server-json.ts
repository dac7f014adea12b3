import { endOfString, isBeforeColon } from './json-text.ts'
import { type Id, isJsonObject, type Json } from './messages.ts'
import { type Parsed, parseJson } from './parse-json.ts'

const MAX_DEPTH = 200
/** Maximum number of members. Ten megabytes of table rows have about this many; more would take seconds to parse. */
const MAX_MEMBERS = 600_000
/** Maximum number of items in all lists together. */
const MAX_ITEMS = 1_800_000
/** Maximum number of different member names. No real schema has nearly as many. */
const MAX_NAMES = 100_000

export function readServerJson(text: string): Parsed {
  if (hasTooManyNames(text, MAX_NAMES))
    return { ok: false, reason: `it has more than ${MAX_NAMES} different names` }
  return parseJson(text, MAX_DEPTH, MAX_MEMBERS, MAX_ITEMS)
}

/**
 * Returns the id of the request to which an invalid response belongs, so that the request fails now instead of timing
 * out.
 */
export function answeredId(value: unknown): Id | undefined {
  const { id, method }: Json = isJsonObject(value) ? value : {}
  return method === undefined && (typeof id === 'string' || typeof id === 'number') ? id : undefined
}

/**
 * Minimum length of a member: `"a":1,`. A text that is too short for that many members cannot exceed the limit and is
 * not scanned.
 */
const SHORTEST_MEMBER = 4

/**
 * Whether the objects in a JSON text have more different member names than the limit. Rows that all have the same names
 * are parsed fast. If all names differ, parsing and processing take ten times as long.
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
