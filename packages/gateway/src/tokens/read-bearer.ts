const BEARER = /^Bearer +([^\s]+) *$/i

/** The token in an `Authorization` header; undefined when there is something else in it, or nothing. */
export function readBearer(authorization: string | undefined): string | undefined {
  return authorization === undefined ? undefined : BEARER.exec(authorization)?.[1]
}
