import type { Paint } from '../terminal/output.ts'
import type { LintedTool } from './lint-tools.ts'
import type { Report } from './report.ts'
import { markdownReport } from './report-markdown.ts'
import { sarifReport } from './report-sarif.ts'
import { textReport } from './report-text.ts'

export const FORMATS = ['text', 'json', 'sarif', 'markdown'] as const

export type Format = (typeof FORMATS)[number]

export function createReport(format: Format, paint: Paint): Report {
  switch (format) {
    case 'text':
      return textReport(paint)
    case 'json':
      return jsonReport()
    case 'sarif':
      return sarifReport()
    case 'markdown':
      return markdownReport()
  }
}

function jsonReport(): Report {
  return {
    start: () => '{"tools":[',
    tool: (tool, index) => `${index === 0 ? '' : ','}\n${JSON.stringify(toJson(tool))}`,
    end: ({ coverage, ...summary }) =>
      `\n],"coverage":${JSON.stringify(coverage)},"summary":${JSON.stringify(summary)}}\n`,
  }
}

/** The public shape: hints flat beside the rest of each layer, as `effective` and `inferred` have them. */
function toJson({ declared, ...tool }: LintedTool): object {
  const { hints, ...rest } = declared
  const { name, title, inferred, effective, variant, riskLevel, category, findings, file, line } = tool
  return {
    name,
    title,
    declared: { ...hints, ...rest },
    inferred,
    effective,
    variant,
    riskLevel,
    category,
    findings,
    file,
    line,
  }
}
