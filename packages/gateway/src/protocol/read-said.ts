import { endOfString, isBeforeColon } from './json-text.ts'
import { type Id, isJsonObject, type Json } from './messages.ts'
import { type Parsed, parseJson } from './parse-json.ts'

const MAX_DEPTH = 200
/** Ten megabytes of rows have as many; what has more takes seconds to take apart. */
const MAX_MEMBERS = 600_000
/** In lists, of all kinds. */
const MAX_ITEMS = 1_800_000
/** Far more than anything has that somebody thought of. */
const MAX_NAMES = 100_000

export function readSaid(text: string): Parsed {
  if (hasTooManyNames(text, MAX_NAMES))
    return { ok: false, reason: `it has more than ${MAX_NAMES} different names` }
  return parseJson(text, MAX_DEPTH, MAX_MEMBERS, MAX_ITEMS)
}

/** Which request it answers, badly: whoever waits for that need not wait any longer. */
export function answeredId(value: unknown): Id | undefined {
  const { id, method }: Json = isJsonObject(value) ? value : {}
  return method === undefined && (typeof id === 'string' || typeof id === 'number') ? id : undefined
}

/** `"a":1,`: what has fewer characters for each cannot have so many, and need not be looked through. */
const SHORTEST_MEMBER = 4

/**
 * Whether the objects in a JSON text have more different names than that. Rows that are alike are taken apart fast, be they
 * many; names that are all different take ten times as long, and so does everybody who looks at them later.
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
