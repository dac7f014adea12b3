/**
 * One step from a schema version to the next. Steps are never edited once released, only followed by others.
 */
export interface Migration {
  readonly version: number
  readonly statements: readonly string[]
}
