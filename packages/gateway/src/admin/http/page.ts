import { mapPolitely } from '../../catalog/map-politely.ts'
import { AdminProblem } from './problem.ts'

interface Paging {
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
}

const USUAL = 100

/** A page of what is in memory already; only what is on it is looked at closely, and nobody else waits for that. */
export async function pageOf<T, U>(
  all: readonly T[],
  { limit = USUAL, cursor = '0' }: Paging,
  describe: (one: T) => U,
): Promise<{ items: U[]; next?: string; total: number }> {
  const start = Number(cursor)
  if (!Number.isSafeInteger(start) || start < 0)
    throw new AdminProblem('invalid_request', 'query.cursor: it is not one of ours.')
  const end = start + limit
  const items = await mapPolitely(all.slice(start, end), describe)
  return { items: [...items], ...(end < all.length ? { next: String(end) } : {}), total: all.length }
}
