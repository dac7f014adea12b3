/** Parses a JSON object. Returns undefined for any other text. */
export function parseEntry(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? Object.fromEntries(Object.entries(value)) : undefined
  } catch {
    return undefined
  }
}
