/**
 * The weight of a finding: one `high` makes a tool suspicious, `medium` needs a second rule, `low` is only
 * shown.
 */
export type ScanSeverity = 'high' | 'medium' | 'low'

/** A part of a tool's definition that a reviewer should look at. */
export interface ScanFinding {
  /** Stable; {@link SCAN_RULES} lists them all. */
  readonly rule: string
  readonly severity: ScanSeverity
  /** A JSON pointer into the definition: `/inputSchema/properties/x/description`. */
  readonly path: string
  /** UTF-16 offsets in the string at `path`, or in the property name that the pointer ends in. */
  readonly span: readonly [start: number, end: number]
  /** The text, safe to show: on one line, shortened, hidden characters escaped. */
  readonly excerpt: string
  readonly reason: string
}

/** A finding of a detector in one text, without the text's path. */
export interface TextFinding {
  readonly rule: string
  readonly severity: ScanSeverity
  readonly span: readonly [start: number, end: number]
  readonly reason: string
}
