import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import type { SqliteDialect as Dialect, SqliteDatabase, SqliteStatement } from 'kysely'
import { SqliteDialect } from '../sql/kysely.ts'
import { translateError } from './sqlite-errors.ts'

/** Kysely expects better-sqlite3; this is the same database under the names of `node:sqlite`. */
export function createDialect(database: DatabaseSyncInstance, file: string): Dialect {
  return new SqliteDialect({ database: adaptDatabase(database, file) })
}

function adaptDatabase(database: DatabaseSyncInstance, file: string): SqliteDatabase {
  const statements = new Map<string, SqliteStatement>()
  return {
    // Our statements are few and fixed, so each is prepared once.
    prepare(sql) {
      const known = statements.get(sql) ?? adaptStatement(database, sql, file)
      statements.set(sql, known)
      return known
    },
    close: () => database.close(),
  }
}

function adaptStatement(database: DatabaseSyncInstance, sql: string, file: string): SqliteStatement {
  const coded = <T>(run: () => T): T => {
    try {
      return run()
    } catch (error) {
      throw translateError(error, file)
    }
  }
  const statement = coded(() => database.prepare(sql))
  return {
    reader: statement.columns().length > 0,
    all: parameters => coded(() => statement.all(...parameters) as unknown[]),
    run: parameters => coded(() => statement.run(...parameters)),
    iterate: parameters => statement.iterate(...parameters) as IterableIterator<unknown>,
  }
}
