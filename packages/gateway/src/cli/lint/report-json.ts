import type { LintedTool } from './lint-tools.ts'
import type { Report } from './report.ts'

export function jsonReport(): Report {
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
