import { parseEntry } from '../servers/parse-entry.ts'

type SetEntry = unknown[] | Record<string, unknown>

/** Parses an entry of `toolsets`: a JSON list or object. Returns undefined for any other text. */
export function parseSetEntry(text: string): SetEntry | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) ? [...(value as unknown[])] : parseEntry(text)
  } catch {
    return undefined
  }
}
