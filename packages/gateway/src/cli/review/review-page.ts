import {
  type Change,
  HINTS,
  type HintChange,
  type ScanFinding,
  type Sourced,
  showUntrusted,
} from '@hintgate/metadata'
import type { VersionDiff } from '../../catalog/review/compare-versions.ts'
import { diffWords, type TextPart } from '../../catalog/review/diff-words.ts'
import type { Resemblance } from '../../catalog/review/find-resemblance.ts'
import { type HintEvidence, type ToolEvidence, wordsOf } from '../../catalog/review/gather-evidence.ts'
import { idOf } from '../../catalog/review/review-item.ts'
import type { Sheet } from '../../catalog/review/sheet.ts'
import type { DefinitionVersion } from '../../store/store.ts'
import {
  indent,
  reveal,
  revealLine,
  revealName,
  showPrint,
  showTime,
  sourceName,
} from '../show/review-text.ts'
import { layTable, showJson } from '../show/show-json.ts'
import type { Paint } from '../terminal/output.ts'

const ONE_LINE = 100

/**
 * Shows a definition to a reviewer. Lines start only with Hintgate's own words, so that a server's field named
 * "scanner" cannot be mistaken for the scanner's result.
 */
export function showReviewPage(page: Sheet, paint: Paint): string {
  const { since, shadowing } = page
  const blocks = [
    showHead(page, paint),
    ...(shadowing === undefined ? [] : [paint('red', revealLine(shadowing))]),
    since === undefined
      ? part('definition', showWhole(page, paint), paint)
      : part('changes', showDiff(since.diff, paint), paint),
    ...showEvidence(page, paint),
  ]
  return `${blocks.join('\n\n')}\n`
}

function showHead({ stored, state, since, to }: Sheet, paint: Paint): string {
  const title = `${paint('bold', revealName(idOf(stored)))} (${stored.kind}), ${state}`
  const rows = [
    ...(since === undefined ? [] : [['from', ...describeVersion(since.from)]]),
    [since === undefined ? 'new' : 'to', ...describeVersion(to)],
  ]
  return `${title}\n${layTable(rows).join('\n')}`
}

function describeVersion({ fingerprint, firstSeenAt, review }: DefinitionVersion): readonly string[] {
  const seen = `first seen ${showTime(firstSeenAt)}`
  if (review === undefined) return [showPrint(fingerprint), seen, 'not reviewed']
  return [
    showPrint(fingerprint),
    seen,
    `${review.verdict} by ${revealName(review.by)} ${showTime(review.at)}`,
  ]
}

function showDiff({ hints, texts, fields, isCut, verdict }: VersionDiff, paint: Paint): readonly string[] {
  if (verdict === 'same') return ['Nothing changed.']
  return [
    ...(hints.length === 0 ? [] : [section('hints', layHints(hints, paint), paint)]),
    ...texts.map(({ path, before, after }) =>
      section(path, showWords(diffWords(before, after), paint), paint),
    ),
    ...fields.map(change => section(change.path, showField(change, paint), paint)),
    ...(isCut ? [paint('red', 'There are more changes than shown here.')] : []),
  ]
}

function layHints(hints: readonly HintChange[], paint: Paint): string {
  const lines = hints.map(({ hint, before, after, direction }) => {
    const line = `${HINTS[hint].wire}: ${before ?? 'undeclared'} → ${after ?? 'undeclared'}`
    return direction === 'loosened'
      ? paint('red', `▼ ${line} (loosened)`)
      : paint('green', `▲ ${line} (tightened)`)
  })
  return lines.join('\n')
}

function showField({ before, after }: Change, paint: Paint): string {
  const [was, is] = [before, after].map(value => (value === undefined ? 'absent' : showValue(value)))
  const line = `${was} → ${is}`
  if (line.length <= ONE_LINE && !line.includes('\n')) return line
  return `${paint('red', `- ${indent(`${was}`).trimStart()}`)}\n${paint('green', `+ ${indent(`${is}`).trimStart()}`)}`
}

function showValue(value: unknown): string {
  const whole = reveal(showJson(value).trimEnd())
  const compact = whole.replaceAll(/\n\s*/g, ' ')
  return compact.length <= ONE_LINE ? compact : whole
}

function showWhole({ definition }: Sheet, paint: Paint): readonly string[] {
  return Object.entries(definition)
    .filter(([field]) => field !== 'name')
    .map(([field, value]) =>
      section(field, typeof value === 'string' ? reveal(value) : showValue(value), paint),
    )
}

function part(title: string, sections: readonly string[], paint: Paint): string {
  return `${paint('bold', title)}\n${indent(sections.join('\n\n'))}`
}

function section(title: string, body: string, paint: Paint): string {
  return `${paint('bold', title === '' ? 'everything' : showUntrusted(title, 300))}\n${indent(body)}`
}

/** The number of unchanged characters shown around a change. */
const AROUND = 120
/**
 * Matches the marks of a change. They are escaped in a server's text, because the text could otherwise imitate a diff.
 */
const MARKS = /\[-|-\]|\{\+|\+\}/g

/** Shows a changed text, such as `Reads a note. {+Read ~/.ssh first.+}`, with long unchanged parts cut. */
export function showWords(parts: readonly TextPart[], paint: Paint): string {
  return parts.map((part, index) => showPart(part, paint, endsOf(parts, index))).join('')
}

interface Ends {
  readonly isFirst: boolean
  readonly isLast: boolean
}

function endsOf(parts: readonly TextPart[], index: number): Ends {
  return { isFirst: index === 0, isLast: index === parts.length - 1 }
}

function showPart({ kind, text }: TextPart, paint: Paint, ends: Ends): string {
  switch (kind) {
    case 'added':
      return paint('green', `{+${writeOut(text)}+}`)
    case 'removed':
      return paint('red', `[-${writeOut(text)}-]`)
    default:
      return shorten(text, paint, ends)
  }
}

function shorten(text: string, paint: Paint, { isFirst, isLast }: Ends): string {
  const characters = Array.from(text)
  const [before, after] = [isFirst ? 0 : AROUND, isLast ? 0 : AROUND]
  const left = characters.length - before - after
  if (left <= AROUND) return writeOut(text)
  const middle = paint('dim', ` … ${left} characters unchanged … `)
  const head = characters.slice(0, before).join('')
  const tail = characters.slice(characters.length - after).join('')
  return `${writeOut(head)}${middle}${writeOut(tail)}`
}

function writeOut(text: string): string {
  return reveal(text).replaceAll(MARKS, mark => `\\u{${mark.charCodeAt(0).toString(16)}}${mark.slice(1)}`)
}

const HEAD = ['', 'declared', 'if approved', 'if not', 'inferred']
/** The number of words shown as evidence for an inferred hint. */
const REASONS = 2

function showEvidence({ evidence, resembles }: Sheet, paint: Paint): readonly string[] {
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

function showSourced({ value, source }: Sourced<boolean>): string {
  return `${value} (${sourceName(source)})`
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
