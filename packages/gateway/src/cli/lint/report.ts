import { type CallVariant, type FindingLevel, type HintName, SPEC_HINTS } from '@hintgate/metadata'
import type { LintedTool } from './lint-tools.ts'

/** A report is written piece by piece, so a long list never has to fit into memory. */
export interface Report {
  start(): string
  tool(tool: LintedTool, index: number): string
  end(summary: Summary): string
}

export interface Summary {
  tools: number
  findings: Record<FindingLevel, number>
  variants: Record<CallVariant, number>
  /** How many tools declare each hint, and the share of all hints that is declared, in percent. */
  coverage: { score: number; declared: Partial<Record<HintName, number>> }
}

export function createSummary(): Summary {
  return {
    tools: 0,
    findings: { error: 0, warning: 0, info: 0 },
    variants: { call_tool_read: 0, call_tool_write: 0, call_tool_destructive: 0 },
    coverage: { score: 0, declared: Object.fromEntries(SPEC_HINTS.map(hint => [hint, 0])) },
  }
}

export function addToSummary(summary: Summary, tool: LintedTool): void {
  summary.tools += 1
  summary.variants[tool.variant] += 1
  for (const finding of tool.findings) summary.findings[finding.level] += 1
  for (const hint of SPEC_HINTS) {
    if (tool.declared.hints[hint] !== undefined) add(summary.coverage.declared, hint)
  }
  const declared = Object.values(summary.coverage.declared).reduce((sum, count) => sum + count, 0)
  summary.coverage.score = Math.round((100 * declared) / (SPEC_HINTS.length * summary.tools))
}

function add(counts: Partial<Record<HintName, number>>, hint: HintName): void {
  counts[hint] = (counts[hint] ?? 0) + 1
}
