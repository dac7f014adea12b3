import type { DatabaseSyncInstance } from '@photostructure/sqlite'

/**
 * One step from a schema version to the next. Steps are never edited once released, only followed by others.
 */
export interface Migration {
  readonly version: number
  readonly statements: readonly string[]
  /** Between the statements and `afterwards`, for what SQL alone cannot do. */
  readonly convert?: (database: DatabaseSyncInstance) => void
  readonly afterwards?: readonly string[]
}
