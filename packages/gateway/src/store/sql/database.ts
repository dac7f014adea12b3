import type { CompiledQuery, Kysely, QueryResult } from 'kysely'
import type { Tables } from './schema.ts'

/** The access that stores need to a database, including everything that differs between databases. */
export interface SqlDatabase {
  readonly db: Kysely<Tables>
  readonly schema: '' | 'hintgate.'
  /** The column of `results` that increases with every row. */
  readonly counter: 'rowid' | 'id'
  /** Runs all steps or none. If several processes can write, the lock excludes others of the same kind. */
  readonly runSteps: <T>(lock: Lock, steps: () => Steps<T>) => Promise<T>
  /** Announces a change; must be awaited after every change that other processes must learn of. */
  readonly note: () => void | Promise<void>
  /** Converts names of definitions to and from their stored form. */
  readonly names: { write(name: string): string; read(name: string): string }
}

/**
 * The part of the store that steps lock: results, writers, some servers, some principals' passages, or only the rows
 * that they change.
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
 * Statements in sequence, each of which may depend on earlier results. SQLite runs them without yielding the thread:
 * another connection of this process that waited for the lock would block the thread that must release it. For
 * PostgreSQL, each statement is a round trip.
 */
export type Steps<T> = Generator<Statement<unknown>, T, QueryResult<unknown>>

export function* rowsOf<R>(statement: Statement<R>): Steps<readonly R[]> {
  return (yield statement).rows as readonly R[]
}

export function* countOf(statement: Statement<unknown>): Steps<number> {
  return Number((yield statement).numAffectedRows ?? 0n)
}

/** The batch size, small enough for the limit of values in a statement. */
const SOME = 100

export function* portions<T>(values: readonly T[], most = SOME): Generator<readonly T[]> {
  for (let at = 0; at < values.length; at += most) yield values.slice(at, at + most)
}

/** Notifies others if something changed, and returns whether it did. */
export async function noteIfChanged(count: bigint, note: SqlDatabase['note']): Promise<boolean> {
  if (count === 0n) return false
  await note()
  return true
}
