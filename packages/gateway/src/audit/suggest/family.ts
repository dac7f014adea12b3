const LEAST_MEMBERS = 3
const NUMBERED = /^(.*[-_.])\d+$/

/**
 * Returns a function that names a copy of something by the pattern of all its copies, if there are several: with
 * `bot-1`, `bot-2` and `bot-3`, it turns `bot-2` into `bot-*`. Other names stay as they are.
 */
export function familyOf(names: readonly string[]): (name: string) => string {
  const members = new Map<string, Set<string>>()
  for (const name of names) {
    const stem = NUMBERED.exec(name)?.[1]
    if (stem !== undefined) members.set(stem, (members.get(stem) ?? new Set()).add(name))
  }
  return name => {
    const stem = NUMBERED.exec(name)?.[1]
    return stem !== undefined && (members.get(stem)?.size ?? 0) >= LEAST_MEMBERS ? `${stem}*` : name
  }
}
