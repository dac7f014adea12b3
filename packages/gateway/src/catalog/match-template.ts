/**
 * Matches the value of a plain variable, which contains no character that ends a part of a URI. `OPEN` matches
 * variables without this limit.
 */
const PLAIN = /^[^/\\?#]*$/
/** Servers that decode a value first take it for several parts, or for a step to another place. */
const HIDDEN = /%(?:25)*(?:2f|5c|3f|23)|^(?:\.|%(?:25)*2e){1,2}$/i
const OPEN = /^[+#/?&;.]/

/**
 * True if a URI certainly matches a template (RFC 6570); false if in doubt. There is no backtracking, so a server
 * cannot make this slow.
 *
 * @example
 * matchesTemplate('note://{owner}/notes/{id}', 'note://ada/notes/1') // true
 */
export function matchesTemplate(template: string, uri: string): boolean {
  const parts = template.split(/\{([^{}]*)\}/)
  const [head = '', ...rest] = parts
  if (!uri.startsWith(head)) return false
  let at = head.length
  for (let index = 0; index + 1 < rest.length; index += 2) {
    const expression = rest[index] ?? ''
    const literal = rest[index + 1] ?? ''
    const isLast = index + 2 >= rest.length
    const end = isLast ? lastPlaceOf(literal, uri) : uri.indexOf(literal, at)
    if (end < at) return false
    if (!OPEN.test(expression) && !isPlain(uri.slice(at, end))) return false
    at = end + literal.length
  }
  return at === uri.length
}

function isPlain(value: string): boolean {
  return PLAIN.test(value) && !HIDDEN.test(value)
}

function lastPlaceOf(literal: string, uri: string): number {
  return uri.endsWith(literal) ? uri.length - literal.length : -1
}
