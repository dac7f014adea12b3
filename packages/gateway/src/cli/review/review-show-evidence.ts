import type { ScanFinding, Sourced } from '@hintgate/metadata'
import type { Resemblance } from '../../catalog/review/find-resemblance.ts'
import { type HintEvidence, type ToolEvidence, wordsOf } from '../../catalog/review/gather-evidence.ts'
import type { Sheet } from '../../catalog/review/sheet.ts'
import { layTable } from '../show/lay-table.ts'
import { indent, revealLine, revealName } from '../show/review-text.ts'
import type { Paint } from '../terminal/output.ts'

const HEAD = ['', 'declared', 'if approved', 'if not', 'inferred']
/** Words that gave a hint away. */
const REASONS = 2

/** What lies beside a definition: how it would count, what the scanner found, what it is like. */
export function showEvidence({ evidence, resembles }: Sheet, paint: Paint): readonly string[] {
  const { tool, scanner, isSuspicious } = evidence
  const title = isSuspicious ? paint('red', 'scanner: suspicious') : paint('bold', 'scanner')
  return [
    ...(tool === undefined ? [] : [showHints(tool, paint), ...showProblems(tool, paint)]),
    `${title}\n${indent(scanner.length === 0 ? 'nothing found' : scanner.map(showFinding).join('\n'))}`,
    ...(resembles.length === 0
      ? []
      : [`${paint('bold', 'resembles')}\n${indent(resembles.map(showResemblance).join('\n'))}`]),
  ]
}

function showHints({ hints, callWith }: ToolEvidence, paint: Paint): string {
  const { ifApproved, ifNot } = callWith
  const [head = '', ...lines] = layTable([
    HEAD,
    ...hints.map(toRow),
    ['call with', '', ifApproved, ifNot, ''],
  ])
  return `${paint('bold', 'evidence')}\n${indent([paint('dim', head), ...lines].join('\n'))}`
}

function toRow({ hint, declared, inferred, ifApproved, ifNot }: HintEvidence): readonly string[] {
  return [
    hint,
    declared === undefined ? '–' : String(declared),
    showSourced(ifApproved),
    showSourced(ifNot),
    showInferred(inferred),
  ]
}

/** As `hintgate lint` says it. */
function showSourced({ value, source }: Sourced<boolean>): string {
  return `${value} (${source === 'default' ? 'assumed' : source})`
}

function showInferred(inferred: HintEvidence['inferred']): string {
  if (inferred === undefined) return '–'
  const words = wordsOf(inferred.evidence, REASONS).map(word => revealLine(word, 80))
  const why = words.length === 0 ? '' : `: ${words.join(', ')}`
  return `${inferred.value}, ${Math.round(inferred.confidence * 100)} %${why}`
}

function showProblems({ problems }: ToolEvidence, paint: Paint): readonly string[] {
  if (problems.length === 0) return []
  const lines = problems.map(({ level, path, message }) => `${level}: ${revealLine(`${path}: ${message}`)}`)
  return [`${paint('bold', 'problems')}\n${indent(lines.join('\n'))}`]
}

function showFinding({ severity, rule, path, reason, excerpt }: ScanFinding): string {
  const where = revealLine(path, 200)
  const what = excerpt === '' ? '' : `\n  “${revealLine(excerpt, 200)}”`
  return `${severity} ${rule} at ${where}: ${revealLine(reason)}${what}`
}

function showResemblance({ how, id, state, was }: Resemblance): string {
  return `${how} ${revealName(id)} (${state}${was === undefined ? '' : `, was ${was}`})`
}
