import type { ServerSummary } from '../doctor/describe-servers.ts'
import type { Examination } from '../doctor/examine.ts'
import type { DoctorFinding } from '../doctor/finding.ts'
import type { Paint } from './colours.ts'
import { indent, reveal, revealLine, revealName } from './review-text.ts'
import { layTable } from './show/lay-table.ts'

const COLOURS = { error: 'red', warning: 'yellow', info: 'blue' } as const
const LEVELS = ['error', 'warning', 'info'] as const
const HEAD = [
  'SERVER',
  'TOOLS',
  'APPROVED',
  'HINTS DECLARED',
  'INFERRED',
  'ASSUMED',
  'OVERRIDDEN',
  'CONTRADICTIONS',
]

/** What the doctor says to a person: the worst first, and in the end how much is known of every server. */
export function showExamination({ findings, servers }: Examination, paint: Paint): string {
  const sorted = LEVELS.flatMap(level => findings.filter(finding => finding.level === level))
  const blocks = [
    sorted.length === 0 ? 'Nothing is wrong.' : sorted.map(finding => showFinding(finding, paint)).join('\n'),
    ...(servers.length === 0 ? [] : [showServers(servers, paint)]),
  ]
  return `${blocks.join('\n\n')}\n`
}

function showFinding({ level, code, text, fix }: DoctorFinding, paint: Paint): string {
  const [first = '', ...more] = reveal(text).split('\n')
  return [
    `${paint(COLOURS[level], level)} ${first} ${paint('dim', `(${code})`)}`,
    ...more.map(line => indent(line)),
    `  fix: ${revealLine(fix)}`,
  ].join('\n')
}

function showServers(servers: readonly ServerSummary[], paint: Paint): string {
  const [head = '', ...lines] = layTable([HEAD, ...servers.map(toRow)])
  return [paint('bold', head), ...lines].join('\n')
}

function toRow(summary: ServerSummary): readonly string[] {
  const { server, tools, approved, declared, inferred, assumed, overridden, contradictions } = summary
  const numbers = [tools, approved, declared, inferred, assumed, overridden, contradictions]
  return [revealName(server), ...numbers.map(String)]
}
