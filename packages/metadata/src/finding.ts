export type FindingLevel = 'error' | 'warning' | 'info'

/** One problem to show an author or a reviewer. `code` is stable; `fix` says what to do. */
export interface Finding {
  readonly code: string
  readonly level: FindingLevel
  /** A dotted path into the input: `annotations.readOnlyHint`, `extras.limits[2]`. */
  readonly path: string
  readonly message: string
  readonly fix: string
}
