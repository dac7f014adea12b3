import type { DatabaseSyncInstance } from '@photostructure/sqlite'

interface Brackets {
  readonly begin: () => void
  readonly commit: () => void
}

const brackets = new WeakMap<DatabaseSyncInstance, Brackets>()

/**
 * Does several things to the database or none. Nothing is awaited on the way: another connection of this process
 * that waited for our lock would block the very thread that has to let go of it.
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

/** Prepared once: reading the two words anew takes longer than doing what they say. */
function bracketsOf(database: DatabaseSyncInstance): Brackets {
  const known = brackets.get(database)
  if (known !== undefined) return known
  const begin = database.prepare('begin immediate')
  const commit = database.prepare('commit')
  const made = { begin: () => void begin.run(), commit: () => void commit.run() }
  brackets.set(database, made)
  return made
}
