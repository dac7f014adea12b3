import type { Client } from 'pg'

/**
 * One step from a schema version to the next. Steps are never edited once released, only followed by others.
 */
export interface Migration {
  readonly version: number
  readonly statements: readonly string[]
  /** Between the statements and `afterwards`, for what SQL alone cannot do. */
  readonly convert?: (client: Client) => Promise<void>
  readonly afterwards?: readonly string[]
}
