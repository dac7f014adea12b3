import { isAbsolute, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { FINDING_RULES, type Finding } from '@hintgate/metadata'
import { BASELINE_RULES } from './baseline.ts'
import { LIST_RULES, type LintedTool } from './lint-tools.ts'
import type { Report } from './report.ts'

const LEVELS = { error: 'error', warning: 'warning', info: 'note' } as const

/** SARIF 2.1.0, in the subset that code-scanning services read. */
export function sarifReport(): Report {
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
    // Lets a code-scanning service recognise a finding although lines moved.
    partialFingerprints: { 'hintgate/v1': `${name}:${code}:${path}` },
  }
}

/** Relative to the working folder where possible, so that reports from different machines match. */
function toUri(file: string): string {
  const path = isAbsolute(file) ? relative(process.cwd(), file) : file
  return path.startsWith('..') ? pathToFileURL(file).href : encodeURI(path.replaceAll('\\', '/'))
}
