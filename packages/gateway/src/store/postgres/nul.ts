/**
 * PostgreSQL has no text with U+0000 in it. A server may call its tool so; the name is then kept with a mark in its place,
 * and no other name becomes the same.
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
