/**
 * PostgreSQL cannot store U+0000 in text. A server may use it in a tool name; the name is then stored with a mark in
 * its place, and stays distinct from every other name.
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
