import { revealLine } from '../show/review-text.ts'
import { type Paint, paint } from '../terminal/output.ts'
import type { Entry } from './entry.ts'
import type { FilledPiece } from './fill-inputs.ts'
import type { Plan, Way } from './plan-install.ts'

const LONGEST = 300
const clean = (text: string) => revealLine(text, LONGEST)

export function showFound({ name, version, status, title, description = '' }: Entry): string {
  const mark = status === 'active' ? '' : ` (${clean(status)})`
  const about = [title, description].filter(text => text !== undefined && text !== '').join(': ')
  return `${paint('bold', name)} ${clean(version)}${mark}\n  ${clean(about)}\n`
}

/** Shows who published an entry, and what each way to use it would run or contact. */
export function showEntry(entry: Entry, ways: readonly Way[], chosen: Way | undefined): string {
  const [namespace = ''] = entry.name.split('/')
  const rows = [
    ['publisher', namespace],
    ['source', entry.repository?.url ?? 'not stated'],
    ['status', `${entry.status}${entry.publishedAt === undefined ? '' : `, published ${entry.publishedAt}`}`],
  ].map(([label = '', text = '']) => `  ${label.padEnd(10)} ${clean(text)}\n`)
  const lines = ways.map(way => showWay(way, way === chosen, paint))
  return `${showFound(entry)}${rows.join('')}\n${lines.join('')}`
}

function showWay({ title, plan, refusal }: Way, isChosen: boolean, tint: Paint): string {
  const mark = isChosen ? tint('green', '→') : ' '
  const does = plan === undefined ? `cannot be used: ${clean(refusal ?? '')}` : clean(describePlan(plan))
  return `${mark} ${clean(title)}\n    ${does}\n`
}

/** Says what a plan runs or contacts. Secrets are not shown. */
export function describePlan(plan: Plan): string {
  if ('url' in plan) return `connects to ${writePieces(plan.url)}${namesOf('headers', plan.headers)}`
  const words = [plan.command, ...plan.args.map(writePieces)].map(quote)
  return `runs ${words.join(' ')}${namesOf('variables', plan.env)}`
}

function namesOf(what: string, values: Readonly<Record<string, unknown>>): string {
  const names = Object.keys(values)
  return names.length === 0 ? '' : ` with the ${what} ${names.join(', ')}`
}

function writePieces(pieces: readonly FilledPiece[]): string {
  return pieces
    .map(piece => {
      if (piece.kind === 'variable') return `\${env:${piece.name}}`
      return piece.kind === 'secret' ? '…' : piece.text
    })
    .join('')
}

function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
