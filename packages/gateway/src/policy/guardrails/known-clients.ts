const LONGEST = 64
const MEMBERS: ReadonlySet<string> = new Set(['name', 'title', 'version'])

/** What nearly every client says of itself: short texts, and nothing else. */
export interface ClientInfo {
  readonly name?: string
  readonly title?: string
  readonly version?: string
}

export function isUsualInfo(info: unknown): info is ClientInfo {
  if (typeof info !== 'object' || info === null || Array.isArray(info)) return false
  for (const key in info) {
    const value: unknown = Reflect.get(info, key)
    if (!MEMBERS.has(key) || typeof value !== 'string' || value.length > LONGEST) return false
  }
  return true
}

/** It says the same in call after call: what some rules have read last, and found harmless, they need not read again. */
export function isSameInfo(known: ClientInfo, { name, title, version }: ClientInfo): boolean {
  return known.name === name && known.version === version && known.title === title
}
