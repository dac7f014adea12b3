const BEARER = /^Bearer +([^\s]+) *$/i
const USUAL = 'Bearer '
const BLANK = /\s/

/** The token in an `Authorization` header; undefined when there is something else in it, or nothing. */
export function readBearer(authorization: string | undefined): string | undefined {
  if (authorization === undefined) return undefined
  // Nearly all are written like this.
  const rest = authorization.startsWith(USUAL) ? authorization.slice(USUAL.length) : ''
  return rest !== '' && !BLANK.test(rest) ? rest : BEARER.exec(authorization)?.[1]
}
