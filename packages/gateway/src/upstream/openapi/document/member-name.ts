/**
 * Returns the name under which servers can find a member of a query or a form. Frameworks read `a.b`, `a b` and `a[b]` as
 * forms of `a_b` or of members of `a`, and some ignore case.
 */
export function plainMember(name: string): string {
  const [before = ''] = name.trimStart().split('\u0000', 1)
  return before
    .replace(/^\[/, '_')
    .replace(/\[.*$/s, '')
    .replaceAll(/[\s.+]/g, '_')
    .toLowerCase()
}

const OVERRIDES = new Set([
  '_method',
  '_http_method',
  '_httpmethod',
  'x-http-method',
  'x-http-method-override',
  'x-method-override',
])

/** True for a member that makes some frameworks treat a request as one with another method. */
export function changesMethod(name: string): boolean {
  return OVERRIDES.has(plainMember(name))
}
