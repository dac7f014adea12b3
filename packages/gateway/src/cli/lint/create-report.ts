import { isAbsolute, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { FINDING_RULES, type Finding, HINTS, SPEC_HINTS, showUntrusted } from '@hintgate/metadata'
import { sourceName } from '../show/review-text.ts'
import type { Paint } from '../terminal/output.ts'
import { BASELINE_RULES } from './baseline.ts'
import { LIST_RULES, type LintedTool } from './lint-tools.ts'
import { type Report, textReport } from './report-text.ts'

export type Format = 'text' | 'json' | 'sarif' | 'markdown'

export function createReport(format: Format, paint: Paint): Report {
  const create = {
    text: () => textReport(paint),
    json: jsonReport,
    sarif: sarifReport,
    markdown: markdownReport,
  }
  return create[format]()
}

function jsonReport(): Report {
  return {
    start: () => '{"tools":[',
    tool: (tool, index) => `${index === 0 ? '' : ','}\n${JSON.stringify(toJson(tool))}`,
    end: ({ coverage, ...summary }) =>
      `\n],"coverage":${JSON.stringify(coverage)},"summary":${JSON.stringify(summary)}}\n`,
  }
}

/**
 * Converts a tool to its public shape, in which `declared` contains the hints by name, like `effective` and `inferred`.
 */
function toJson({ declared, ...tool }: LintedTool): object {
  const { hints, ...rest } = declared
  const {
    name,
    title,
    inferred,
    effective,
    variant,
    riskLevel,
    category,
    consequence,
    findings,
    file,
    line,
  } = tool
  const judged = { inferred, effective, variant, riskLevel, category, consequence }
  return { name, title, declared: { ...hints, ...rest }, ...judged, findings, file, line }
}

const LEVELS = { error: 'error', warning: 'warning', info: 'note' } as const

/** Creates a report in SARIF 2.1.0, in the subset that code-scanning services read. */
function sarifReport(): Report {
  let isFirst = true
  return {
    start: () =>
      `{"$schema":"https://json.schemastore.org/sarif-2.1.0.json","version":"2.1.0","runs":[{"tool":${JSON.stringify(DRIVER)},"results":[`,
    tool(tool) {
      const results = tool.findings.map(finding => JSON.stringify(toResult(finding, tool)))
      const separator = isFirst || results.length === 0 ? '' : ','
      if (results.length > 0) isFirst = false
      return `${separator}${results.join(',\n')}\n`
    },
    end: ({ coverage, tools }) => `],"properties":${JSON.stringify({ tools, coverage })}}]}\n`,
  }
}

const DRIVER = {
  driver: {
    name: 'hintgate',
    rules: [...FINDING_RULES, ...LIST_RULES, ...BASELINE_RULES].map(({ code, level, condition }) => ({
      id: code,
      shortDescription: { text: condition },
      defaultConfiguration: { level: LEVELS[level] },
    })),
  },
}

function toResult({ code, level, path, message, fix }: Finding, { name, file, line }: LintedTool): object {
  return {
    ruleId: code,
    level: LEVELS[level],
    message: { text: `${name === '' ? 'tool' : name}: ${message}. ${fix}` },
    locations: [
      {
        physicalLocation: { artifactLocation: { uri: toUri(file) }, region: { startLine: line } },
        logicalLocations: [
          { name, fullyQualifiedName: path === '' ? name : `${name}.${path}`, kind: 'function' },
        ],
      },
    ],
    // Lets a code-scanning service recognise the same finding after lines have moved.
    partialFingerprints: { 'hintgate/v1': `${name}:${code}:${path}` },
  }
}

/** Makes a path relative to the working folder, if possible, so that reports from different machines match. */
function toUri(file: string): string {
  const path = isAbsolute(file) ? relative(process.cwd(), file) : file
  return path.startsWith('..') ? pathToFileURL(file).href : encodeURI(path.replaceAll('\\', '/'))
}

/**
 * Creates a report with a table of tools, followed by a table of findings, which are collected while the first table is
 * written.
 */
function markdownReport(): Report {
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
  return `${value ? 'yes' : 'no'} (${source === 'override' ? 'set' : sourceName(source)})`
}

function nameOf(tool: LintedTool): string {
  return tool.name === '' ? `line ${tool.line}` : cell(tool.name)
}

function tableRow(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |\n`
}

/** Writes untrusted text in a table: shows hidden characters, and escapes Markdown and HTML. */
function cell(text: string): string {
  return showUntrusted(text, 300).replaceAll(/[\\`*_[\]<>|&#!~]/g, character => `\\${character}`)
}
