import { isJsonObject } from './messages.ts'
import { writeJson } from './parse-json.ts'

/** JSON with its keys in order, so that the same value is always the same text. Long numbers keep their digits. */
export function writeSorted(value: unknown): string {
  return writeJson(sorted(value))
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (!isJsonObject(value)) return value
  // Entries, not assignments: a key may be called `__proto__`.
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, part]) => [key, sorted(part)]),
  )
}
