/** Compares two values as JSON: -0 equals 0, and prototypes are ignored. */
export function isJsonEqual(a: unknown, b: unknown): boolean {
  return normalise(a) === normalise(b)
}

function normalise(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) => {
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return part
    return Object.fromEntries(Object.entries(part).sort(([x], [y]) => (x < y ? -1 : 1)))
  })
}
