import type { CompiledQuery, Kysely, QueryResult } from 'kysely'
import type { Tables } from './schema.ts'

/** What stores need of a database, and what is not the same in all of them. */
export interface SqlDatabase {
  readonly db: Kysely<Tables>
  readonly schema: '' | 'hintgate.'
  /** The column of `results` that grows with every row. */
  readonly counter: 'rowid' | 'id'
  /** Does all steps or none. Where several can write at once, nobody else does the same kind of thing meanwhile. */
  readonly inOneGo: <T>(lock: Lock, steps: () => Steps<T>) => Promise<T>
  /** To be awaited after every change that others have to hear of. */
  readonly note: () => void | Promise<void>
  /** Names of definitions, as they can be kept. */
  readonly names: { write(name: string): string; read(name: string): string }
}

/** What has to be done one after the other: for all, for some servers, or only where rows themselves see to that. */
export type Lock = 'results' | 'writers' | 'rows' | { readonly servers: readonly string[] }

interface Statement<R> {
  compile(db: Kysely<Tables>): CompiledQuery<R>
}

/**
 * Statements one after the other, each of which may depend on what those before it found. SQLite does them without letting
 * go of its thread: another connection of this process that waited for our lock would block the thread that has to let go
 * of it. To PostgreSQL each is a trip.
 */
export type Steps<T> = Generator<Statement<unknown>, T, QueryResult<unknown>>

export function* rowsOf<R>(statement: Statement<R>): Steps<readonly R[]> {
  return (yield statement).rows as readonly R[]
}

export function* countOf(statement: Statement<unknown>): Steps<number> {
  return Number((yield statement).numAffectedRows ?? 0n)
}

/** Few enough at once for the number of values that a statement may have, and for the statement to be kept. */
const SOME = 100

export function* portions<T>(values: readonly T[], most = SOME): Generator<readonly T[]> {
  for (let at = 0; at < values.length; at += most) yield values.slice(at, at + most)
}

/** Whether something was changed; then others hear of it. */
export async function tell(count: bigint, note: SqlDatabase['note']): Promise<boolean> {
  if (count === 0n) return false
  await note()
  return true
}
