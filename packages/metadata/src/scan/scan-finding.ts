/**
 * How much a finding weighs: `high` alone makes a tool suspicious, `medium` needs company, `low` is only
 * shown.
 */
export type ScanSeverity = 'high' | 'medium' | 'low'

/** Something in a tool's definition that a reviewer should look at. */
export interface ScanFinding {
  /** Stable; {@link SCAN_RULES} lists them all. */
  readonly rule: string
  readonly severity: ScanSeverity
  /** A JSON pointer into the definition: `/inputSchema/properties/x/description`. */
  readonly path: string
  /** UTF-16 offsets in the string at `path`; where the pointer ends in a property's name, in that name. */
  readonly span: readonly [start: number, end: number]
  /** The text in question, safe to show: on one line, cut, hidden characters written out. */
  readonly excerpt: string
  readonly reason: string
}

/** What a detector finds in one text, before it is known where that text stands. */
export interface TextFinding {
  readonly rule: string
  readonly severity: ScanSeverity
  readonly span: readonly [start: number, end: number]
  readonly reason: string
}
