/**
 * Replaces U+0000, which a server may use in a tool's name but PostgreSQL cannot store in text. A name with the
 * replacement still differs from every other name.
 */
const MARK = '\u{F0000}'

export function withoutNul(name: string): string {
  if (!name.includes('\0') && !name.includes(MARK)) return name
  return name.replaceAll(MARK, `${MARK}1`).replaceAll('\0', `${MARK}0`)
}

export function withNul(name: string): string {
  if (!name.includes(MARK)) return name
  return name.replaceAll(`${MARK}0`, '\0').replaceAll(`${MARK}1`, MARK)
}
