/** The characters that give JSON its outline. */
export const QUOTE = 34
export const OPEN_LIST = 91
export const CLOSE_LIST = 93
export const OPEN_OBJECT = 123
export const CLOSE_OBJECT = 125
export const BACKSLASH = 92
export const COLON = 58
const SPACE = 0x20
const BLANKS: ReadonlySet<number> = new Set([SPACE, 0x09, 0x0a, 0x0d])

/** Whether what ends here is the name of a member. */
export function isBeforeColon(text: string, from: number): boolean {
  let at = from
  while (isBlank(text.charCodeAt(at))) at += 1
  return text.charCodeAt(at) === COLON
}

/** Most characters are none, and one look tells. */
function isBlank(code: number): boolean {
  return code <= SPACE && BLANKS.has(code)
}

/** Where the string that starts at a quote ends: at the next quote that no backslash takes away. */
export function endOfString(text: string, start: number): number {
  let at = start
  for (;;) {
    at = text.indexOf('"', at + 1)
    if (at < 0) return text.length
    let slashes = 0
    while (text.charCodeAt(at - 1 - slashes) === BACKSLASH) slashes += 1
    if (slashes % 2 === 0) return at
  }
}
