import type { CompiledQuery, Kysely, QueryResult } from 'kysely'
import type { Tables } from './schema.ts'

/** Everything that the stores need from a database, including what differs between SQLite and PostgreSQL. */
export interface SqlDatabase {
  readonly db: Kysely<Tables>
  readonly schema: '' | 'hintgate.'
  /** The column of `results` whose value increases with every row. */
  readonly counter: 'rowid' | 'id'
  /** Runs all steps or none. If several processes can write, the lock keeps out others that take the same lock. */
  readonly runSteps: <T>(lock: Lock, steps: () => Steps<T>) => Promise<T>
  /** Announces a change. It must be awaited after every change that other processes need to know of. */
  readonly note: () => void | Promise<void>
  /** Converts definition names to and from the form in which they are stored. */
  readonly names: { write(name: string): string; read(name: string): string }
}

/**
 * The part of the store that steps lock: stored results, audit writers, the definitions of some servers, the passages
 * of some principals, or only the rows that the steps change.
 */
export type Lock =
  | 'results'
  | 'writers'
  | 'rows'
  | { readonly servers: readonly string[] }
  | { readonly principals: readonly string[] }

interface Statement<R> {
  compile(db: Kysely<Tables>): CompiledQuery<R>
}

/**
 * A sequence of statements in which each can depend on earlier results. SQLite runs the whole sequence synchronously.
 * If it yielded, another connection of this process could block the thread while waiting for the lock, and the lock
 * could never be released. In PostgreSQL, each statement is a round trip.
 */
export type Steps<T> = Generator<Statement<unknown>, T, QueryResult<unknown>>

export function* rowsOf<R>(statement: Statement<R>): Steps<readonly R[]> {
  return (yield statement).rows as readonly R[]
}

export function* countOf(statement: Statement<unknown>): Steps<number> {
  return Number((yield statement).numAffectedRows ?? 0n)
}

/** Rows per statement, few enough for the databases' limit on values in one statement. */
const SOME = 100

export function* portions<T>(values: readonly T[], most = SOME): Generator<readonly T[]> {
  for (let at = 0; at < values.length; at += most) yield values.slice(at, at + most)
}

/** Notifies listeners if `count` rows changed, and returns whether any did. */
export async function noteIfChanged(count: bigint, note: SqlDatabase['note']): Promise<boolean> {
  if (count === 0n) return false
  await note()
  return true
}
