import type { HintValues } from '../hint/hints.ts'

const READ: HintValues = { readOnly: true, destructive: false, idempotent: true, openWorld: true }
const WRITE: HintValues = { readOnly: false, destructive: false, idempotent: false, openWorld: true }

/** The semantics of HTTP methods in RFC 9110, as hints for tools that are created from an OpenAPI document. */
export const HTTP_METHODS: Readonly<Record<string, HintValues>> = {
  GET: READ,
  HEAD: READ,
  OPTIONS: READ,
  PUT: { ...WRITE, idempotent: true },
  DELETE: { ...WRITE, destructive: true, idempotent: true },
  POST: WRITE,
  PATCH: WRITE,
}

/**
 * Returns the hints for an HTTP method. The result is empty for a method that RFC 9110 does not define.
 *
 * @example
 * import { hintsForHttpMethod } from '@hintgate/metadata'
 * hintsForHttpMethod('put') // => { readOnly: false, destructive: false, idempotent: true, openWorld: true }
 * hintsForHttpMethod('BREW') // => {}
 */
export function hintsForHttpMethod(method: string): HintValues {
  const name = method.toUpperCase()
  return (Object.hasOwn(HTTP_METHODS, name) ? HTTP_METHODS[name] : undefined) ?? {}
}
