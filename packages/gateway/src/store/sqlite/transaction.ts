import type { DatabaseSyncInstance } from '@photostructure/sqlite'

/**
 * Does several things to the database or none. Nothing is awaited on the way: another connection of this process
 * that waited for our lock would block the very thread that has to let go of it.
 */
export function inTransaction<T>(database: DatabaseSyncInstance, work: () => T): T {
  database.exec('begin immediate')
  try {
    const result = work()
    database.exec('commit')
    return result
  } catch (error) {
    if (database.isTransaction) database.exec('rollback')
    throw error
  }
}
