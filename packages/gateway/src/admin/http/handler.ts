import { createHash } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { mapInSlices } from '../../catalog/map-in-slices.ts'
import type { DirectRequest } from '../../http/direct-request.ts'
import type { KnownHeaders } from '../../http/read-headers.ts'
import type { Role } from '../../scope/role.ts'
import type { Principal } from '../../scope/scope.ts'
import type { Input, OperationName, Output } from '../contract/contract.ts'
import { AdminProblem } from './problem.ts'

/** A request for a console or API path, before authentication. */
export interface Visit {
  readonly req: DirectRequest
  readonly res: ServerResponse
  readonly headers: KnownHeaders
}

export interface Asker {
  readonly principal: Principal
  readonly role: Role
  /** The etag from If-Match, without quotes. Operations that need an etag are refused without one. */
  readonly match: string
  readonly visit: Visit
}

export type Handler<N extends OperationName> = (
  input: Input<N>,
  asker: Asker,
) => Promise<Output<N> | Response>

/** One handler for each operation; the event stream is separate. */
export type Handlers = { readonly [N in Exclude<OperationName, 'events'>]: Handler<N> }

/** Returns the etag of a resource's state, so that an edit can name that state. */
export function etagOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 22)
}

/** Throws unless the etag that an edit names is that of the current state. */
export function requireMatch(match: string, etag: string): void {
  if (match !== etag)
    throw new AdminProblem(
      'stale_edit',
      'The resource was changed after you loaded it. Load it again, then repeat the change.',
    )
}

interface Paging {
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
}

const USUAL = 100

/**
 * Returns one page of a list that is in memory. Describes only the page's items, in slices that do not delay other
 * requests.
 */
export async function pageOf<T, U>(
  all: readonly T[],
  { limit = USUAL, cursor = '0' }: Paging,
  describe: (one: T) => U,
): Promise<{ items: U[]; next?: string; total: number }> {
  const start = Number(cursor)
  if (!Number.isSafeInteger(start) || start < 0)
    throw new AdminProblem('invalid_request', 'query.cursor: invalid cursor.')
  const end = start + limit
  const items = await mapInSlices(all.slice(start, end), describe)
  return { items: [...items], ...(end < all.length ? { next: String(end) } : {}), total: all.length }
}
