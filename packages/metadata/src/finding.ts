export type FindingLevel = 'error' | 'warning' | 'info'

/** A problem to show to an author or a reviewer. `code` is stable, and `fix` says what to do. */
export interface Finding {
  readonly code: string
  readonly level: FindingLevel
  /** A dotted path into the input, such as `annotations.readOnlyHint` or `extras.limits[2]`. */
  readonly path: string
  readonly message: string
  readonly fix: string
}
