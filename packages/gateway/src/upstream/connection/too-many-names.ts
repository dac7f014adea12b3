import { endOfString, isBeforeColon } from '../../protocol/json-text.ts'

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
