import type { HintValues } from '../hint/hints.ts'
import type { Operation } from './operations.ts'

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

const OPERATIONS: Readonly<Record<string, Operation>> = {
  GET: 'read',
  HEAD: 'read',
  OPTIONS: 'read',
  PUT: 'update',
  PATCH: 'update',
  POST: 'create',
  DELETE: 'delete',
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
  return find(HTTP_METHODS, method) ?? {}
}

/**
 * Returns the operation that an HTTP method usually performs.
 *
 * @example
 * import { operationForHttpMethod } from '@hintgate/metadata'
 * operationForHttpMethod('DELETE') // => 'delete'
 * operationForHttpMethod('BREW') // => undefined
 */
export function operationForHttpMethod(method: string): Operation | undefined {
  return find(OPERATIONS, method)
}

function find<T>(table: Readonly<Record<string, T>>, method: string): T | undefined {
  const name = method.toUpperCase()
  return Object.hasOwn(table, name) ? table[name] : undefined
}
