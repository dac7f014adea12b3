import type { LintedTool } from './lint-tools.ts'
import type { Summary } from './summary.ts'

/** A report is written piece by piece, so a long list never has to fit into memory. */
export interface Report {
  start(): string
  tool(tool: LintedTool, index: number): string
  end(summary: Summary): string
}
