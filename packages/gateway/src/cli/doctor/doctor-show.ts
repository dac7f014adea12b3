import type { Examination, ServerSummary } from '../../doctor/examine.ts'
import { type DoctorFinding, needsAttention, type RepairReport } from '../../doctor/finding.ts'
import { indent, reveal, revealLine, revealName } from '../show/review-text.ts'
import { layTitled } from '../show/show-json.ts'
import type { Paint } from '../terminal/output.ts'

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

export function showExamination(
  { findings, servers, repairs }: Examination & { readonly repairs: readonly RepairReport[] },
  paint: Paint,
): string {
  const sorted = LEVELS.flatMap(level => findings.filter(finding => finding.level === level))
  const blocks = [
    ...(findings.some(needsAttention) ? [] : ['No problems found.']),
    ...(sorted.length === 0 ? [] : [sorted.map(finding => showFinding(finding, paint)).join('\n')]),
    ...showRepairs(repairs),
    ...(servers.length === 0 ? [] : [showServers(servers, paint)]),
  ]
  return `${blocks.join('\n\n')}\n`
}

const HEADS = {
  done: 'Fixed:',
  failed: 'Could not fix:',
  planned: '`hintgate doctor --fix` would run:',
} as const

function showRepairs(repairs: readonly RepairReport[]): readonly string[] {
  return (['done', 'failed', 'planned'] as const).flatMap(outcome => {
    const lines = repairs
      .filter(repair => repair.outcome === outcome)
      .map(({ code, command, why }) => {
        const what = code === 'results_expired' ? 'delete expired results' : command
        return `  ${revealLine(what)}${why === undefined ? '' : `: ${revealLine(why)}`}`
      })
    return lines.length === 0 ? [] : [[HEADS[outcome], ...lines].join('\n')]
  })
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
  const isAsked = servers.some(({ era }) => era !== undefined)
  const rows = [HEAD, ...servers.map(toRow)]
  const protocol = [
    'SPEAKS',
    ...servers.map(({ era, version }) => (era === undefined ? '' : `${version} (${era})`)),
  ]
  const wide = isAsked ? rows.map((row, index) => [...row, revealLine(protocol[index] ?? '')]) : rows
  return layTitled(wide, paint).join('\n')
}

function toRow(summary: ServerSummary): readonly string[] {
  const { server, tools, approved, declared, inferred, assumed, overridden, contradictions } = summary
  const numbers = [tools, approved, declared, inferred, assumed, overridden, contradictions]
  return [revealName(server), ...numbers.map(String)]
}
