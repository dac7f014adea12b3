const LONGEST = 64
const MOST_MEMBERS = 3

/** What a client says of itself as one text, if it is no more than nearly every client says: a short name, title and version. */
export function summarise(info: unknown): string | undefined {
  if (typeof info !== 'object' || info === null || Array.isArray(info)) return undefined
  const members: string[] = []
  for (const key in info) {
    const value: unknown = Reflect.get(info, key)
    const isShort = typeof value === 'string' && value.length <= LONGEST && key.length <= LONGEST
    if (!isShort || members.length === 2 * MOST_MEMBERS) return undefined
    members.push(key, value)
  }
  return JSON.stringify(members)
}
