/**
 * The weight of a finding. A single `high` makes a tool suspicious, `medium` only together with another rule, and `low`
 * is just shown.
 */
export type ScanSeverity = 'high' | 'medium' | 'low'

/** Something in a tool's definition that a reviewer should look at. */
export interface ScanFinding {
  /** The rule's stable id. {@link SCAN_RULES} lists all rules. */
  readonly rule: string
  readonly severity: ScanSeverity
  /** A JSON pointer into the definition, such as `/inputSchema/properties/x/description`. */
  readonly path: string
  /** UTF-16 offsets in the string at `path`, or in the property's name if the pointer ends in a name. */
  readonly span: readonly [start: number, end: number]
  /**
   * The text that was found, in a form that is safe to show: on one line, shortened, with hidden characters escaped.
   */
  readonly excerpt: string
  readonly reason: string
}

/** A detector's finding in one text. The path of the text is added later. */
export interface TextFinding {
  readonly rule: string
  readonly severity: ScanSeverity
  readonly span: readonly [start: number, end: number]
  readonly reason: string
}
