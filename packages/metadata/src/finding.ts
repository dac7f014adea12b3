export type FindingLevel = 'error' | 'warning' | 'info'

/** Something worth telling an author or a reviewer. `code` is stable; `fix` says what to do about it. */
export interface Finding {
  readonly code: string
  readonly level: FindingLevel
  /** Where, as a dotted path into what was read: `annotations.readOnlyHint`, `extras.limits[2]`. */
  readonly path: string
  readonly message: string
  readonly fix: string
}
