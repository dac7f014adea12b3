import type { ScanSeverity, TextFinding } from './scan-finding.ts'

/** A scanner rule. `reason` completes "a text that …", or names what was found. */
export interface ScanRule {
  readonly id: string
  readonly severity: ScanSeverity
  readonly reason: string
}

export function toFinding({ id, severity, reason }: ScanRule, span: TextFinding['span']): TextFinding {
  return { rule: id, severity, span, reason }
}
