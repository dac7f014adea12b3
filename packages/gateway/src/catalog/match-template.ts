/**
 * Matches the value of a plain variable, which contains no character that ends a part of a URI. `OPEN` matches
 * variables without this limit.
 */
const PLAIN = /^[^/?#]*$/
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
    if (!OPEN.test(expression) && !PLAIN.test(uri.slice(at, end))) return false
    at = end + literal.length
  }
  return at === uri.length
}

function lastPlaceOf(literal: string, uri: string): number {
  return uri.endsWith(literal) ? uri.length - literal.length : -1
}
