import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import type { SqliteDialect as Dialect, Kysely, SqliteStatement } from 'kysely'
import type { Steps } from '../sql/database.ts'
import { SqliteDialect } from '../sql/kysely.ts'
import type { Tables } from '../sql/schema.ts'
import { translateError } from './sqlite-errors.ts'

/** Adapts `node:sqlite` to Kysely, whose dialect expects better-sqlite3. */
export function createDialect(database: DatabaseSyncInstance, file: string): Dialect {
  const prepare = prepareOnce(sql => inOurWords(file, () => adaptStatement(database, sql, file)))
  return new SqliteDialect({ database: { prepare, close: () => database.close() } })
}

/**
 * Caches prepared statements, because there are few distinct ones. Long statements are not cached, since their text
 * varies with the number of values.
 */
function prepareOnce<T>(prepare: (sql: string) => T): (sql: string) => T {
  const statements = new Map<string, T>()
  return sql => {
    const statement = statements.get(sql) ?? prepare(sql)
    if (sql.length <= LONG) statements.set(sql, statement)
    return statement
  }
}

const LONG = 4000

export function inOurWords<T>(file: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw translateError(error, file)
  }
}

function adaptStatement(database: DatabaseSyncInstance, sql: string, file: string): SqliteStatement {
  const statement = database.prepare(sql)
  return {
    reader: statement.columns().length > 0,
    all: parameters => inOurWords(file, () => statement.all(...parameters) as unknown[]),
    run: parameters => inOurWords(file, () => statement.run(...parameters)),
    iterate: parameters => statement.iterate(...parameters) as IterableIterator<unknown>,
  }
}

type Value = Parameters<ReturnType<DatabaseSyncInstance['prepare']>['all']>[number]

/** Runs steps in one transaction and translates SQLite's errors. */
export function createSteps(database: DatabaseSyncInstance, db: Kysely<Tables>): <T>(steps: Steps<T>) => T {
  const prepare = prepareOnce(sql => {
    const statement = database.prepare(sql)
    return { statement, isReader: statement.columns().length > 0 }
  })
  return steps =>
    inTransaction(database, () => {
      let step = steps.next()
      while (step.done !== true) {
        const { sql, parameters } = step.value.compile(db)
        const { statement, isReader } = prepare(sql)
        const values = parameters as Value[]
        step = steps.next(
          isReader
            ? { rows: statement.all(...values) }
            : { rows: [], numAffectedRows: BigInt(statement.run(...values).changes) },
        )
      }
      return step.value
    })
}

interface Brackets {
  readonly begin: () => void
  readonly commit: () => void
}

const brackets = new WeakMap<DatabaseSyncInstance, Brackets>()

/**
 * Runs work in a transaction. The work must be synchronous: if it yielded, another connection of this process could
 * block the thread while waiting for the lock, and the lock could never be released.
 */
export function inTransaction<T>(database: DatabaseSyncInstance, work: () => T): T {
  const { begin, commit } = bracketsOf(database)
  begin()
  try {
    const result = work()
    commit()
    return result
  } catch (error) {
    if (database.isTransaction) database.exec('rollback')
    throw error
  }
}

/** Prepares the statements that begin and end a transaction once, because preparing takes longer than running them. */
function bracketsOf(database: DatabaseSyncInstance): Brackets {
  const known = brackets.get(database)
  if (known !== undefined) return known
  const begin = database.prepare('begin immediate')
  const commit = database.prepare('commit')
  const made = { begin: () => void begin.run(), commit: () => void commit.run() }
  brackets.set(database, made)
  return made
}
