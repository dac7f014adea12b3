import { HINTS, SPEC_HINTS, showUntrusted } from '@hintgate/metadata'
import type { LintedTool } from './lint-tools.ts'
import type { Report } from './report.ts'

const SOURCE_MARK = {
  override: 'set',
  declared: 'declared',
  inferred: 'inferred',
  default: 'assumed',
} as const

/** Two tables: what each tool is taken to be, then every finding. The findings wait until the first is done. */
export function markdownReport(): Report {
  const findings: string[] = []
  const labels = SPEC_HINTS.map(hint => HINTS[hint].label)
  return {
    start: () =>
      `${tableRow(['tool', 'call with', ...labels])}${tableRow(labels.map(() => '---').concat('---', '---'))}`,
    tool(tool) {
      for (const { level, code, path, message, fix } of tool.findings) {
        if (level !== 'info')
          findings.push(tableRow([level, `\`${code}\``, nameOf(tool), cell(path), cell(message), cell(fix)]))
      }
      return tableRow([
        nameOf(tool),
        `\`${tool.variant}\``,
        ...SPEC_HINTS.map(hint => effectiveCell(tool, hint)),
      ])
    },
    end({ tools, findings: counts, coverage }) {
      const table = findings.length === 0 ? '' : `\n${FINDINGS_HEAD}${findings.join('')}`
      return `${table}\n${tools} tools, ${counts.error} errors, ${counts.warning} warnings, ${counts.info} notes; ${coverage.score} % of hints declared.\n`
    },
  }
}

const FINDINGS_HEAD = `${tableRow(['level', 'code', 'tool', 'where', 'what', 'fix'])}${tableRow(Array(6).fill('---'))}`

function effectiveCell(tool: LintedTool, hint: (typeof SPEC_HINTS)[number]): string {
  const { value, source } = tool.effective[hint]
  return `${value ? 'yes' : 'no'} (${SOURCE_MARK[source]})`
}

function nameOf(tool: LintedTool): string {
  return tool.name === '' ? `line ${tool.line}` : cell(tool.name)
}

function tableRow(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |\n`
}

/** Untrusted text in a table: hidden characters shown, markup and HTML without effect. */
function cell(text: string): string {
  return showUntrusted(text, 300).replaceAll(/[\\`*_[\]<>|&#!~]/g, character => `\\${character}`)
}
