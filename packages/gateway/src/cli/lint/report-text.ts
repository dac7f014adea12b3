import {
  type CallVariant,
  type Finding,
  type FindingLevel,
  HINTS,
  type HintName,
  SPEC_HINTS,
  showUntrusted,
} from '@hintgate/metadata'
import { sourceName } from '../show/review-text.ts'
import { count, type Paint } from '../terminal/output.ts'
import type { LintedTool } from './lint-tools.ts'

/** A report that is written piece by piece, so that a long list need not fit into memory. */
export interface Report {
  start(): string
  tool(tool: LintedTool, index: number): string
  end(summary: Summary): string
}

export interface Summary {
  tools: number
  findings: Record<FindingLevel, number>
  variants: Record<CallVariant, number>
  /**
   * `declared` is the number of tools that declare each hint, and `score` the percentage of hints that are declared.
   */
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

const COLUMNS = [13, 10, 12, 11] as const
const VARIANT_STYLE = {
  call_tool_read: 'green',
  call_tool_write: 'yellow',
  call_tool_destructive: 'red',
} as const
const LEVEL = {
  error: { mark: '✖', style: 'red' },
  warning: { mark: '▲', style: 'yellow' },
  info: { mark: '·', style: 'dim' },
} as const

export function textReport(paint: Paint): Report {
  let file = ''
  return {
    start: () => '',
    tool(tool) {
      const heading = tool.file === file ? '' : `${paint('bold', showUntrusted(tool.file, 200))}\n\n`
      file = tool.file
      return `${heading}${showTool(tool, paint)}\n`
    },
    end: summary => showSummary(summary, paint),
  }
}

function showTool(tool: LintedTool, paint: Paint): string {
  const name = tool.name === '' ? `(line ${tool.line})` : showUntrusted(tool.name)
  const variant = paint(VARIANT_STYLE[tool.variant], tool.variant)
  const lines = [`${paint('bold', name)}  ${variant}  ${paint('dim', `risk ${tool.riskLevel}`)}`]
  if (tool.name !== '')
    lines.push(
      paint('dim', row('', 'declared', 'inferred', 'effective')),
      ...hintRows(tool, paint),
      ...consequenceRow(tool, paint),
    )
  return [...lines, ...tool.findings.flatMap(finding => showFinding(finding, paint))]
    .map(line => `  ${line}\n`)
    .join('')
}

function consequenceRow({ consequence: { kinds, evidence } }: LintedTool, paint: Paint): string[] {
  const words = evidence.map(word => JSON.stringify(word)).join(', ')
  return kinds.length === 0
    ? []
    : [`  ${'leads to'.padEnd(COLUMNS[0])}${kinds.join(', ')} ${paint('dim', words)}`]
}

function hintRows(tool: LintedTool, paint: Paint): string[] {
  return SPEC_HINTS.map(hint => {
    const inferred = tool.inferred[hint]
    const effective = tool.effective[hint]
    const guess = `${yesNo(inferred.value)} ${Math.round(inferred.confidence * 100)} %`
    return `${row(HINTS[hint].label, yesNo(tool.declared.hints[hint]), guess, yesNo(effective.value))}${paint('dim', sourceName(effective.source))}`
  })
}

function row(...cells: string[]): string {
  return `  ${cells.map((cell, index) => cell.padEnd(COLUMNS[index] ?? 0)).join('')}`
}

function yesNo(value: boolean | undefined): string {
  if (value === undefined) return '–'
  return value ? 'yes' : 'no'
}

function showFinding({ level, code, path, message, fix }: Finding, paint: Paint): string[] {
  const { mark, style } = LEVEL[level]
  const where = path === '' ? '' : `${showUntrusted(path, 120)}: `
  return [
    `  ${paint(style, `${mark} ${code}`)}  ${where}${showUntrusted(message, 400)}`,
    `    ${paint('dim', `fix: ${showUntrusted(fix, 400)}`)}`,
  ]
}

function showSummary({ tools, findings, variants, coverage }: Summary, paint: Paint): string {
  if (tools === 0) return 'No tools found.\n'
  const shares = SPEC_HINTS.map(hint => `${HINTS[hint].label} ${coverage.declared[hint] ?? 0}/${tools}`)
  const counts = [
    paint(findings.error > 0 ? 'red' : 'dim', count(findings.error, 'error')),
    paint(findings.warning > 0 ? 'yellow' : 'dim', count(findings.warning, 'warning')),
    paint('dim', count(findings.info, 'note')),
  ]
  const { call_tool_read: reads, call_tool_write: writes, call_tool_destructive: destructive } = variants
  return [
    `${paint('bold', count(tools, 'tool'))}: ${reads} read, ${writes} write, ${destructive} destructive`,
    counts.join(', '),
    `${paint('bold', `coverage ${coverage.score} %`)} of hints declared (${shares.join(', ')})`,
    '',
  ].join('\n')
}
