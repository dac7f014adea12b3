import { revealLine } from '../show/review-text.ts'
import { type Paint, paint } from '../terminal/output.ts'
import type { Entry } from './entry.ts'
import type { FilledPiece } from './fill-inputs.ts'
import type { Plan, Way } from './plan-install.ts'

const LONGEST = 300
const clean = (text: string) => revealLine(text, LONGEST)
/** What runs is never shortened, because its end is as important as its beginning. */
const whole = (text: string) => revealLine(text, Number.POSITIVE_INFINITY)

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
  const does = plan === undefined ? `cannot be used: ${clean(refusal ?? '')}` : whole(describePlan(plan))
  return `${mark} ${clean(title)}\n    ${does}\n`
}

/** Says what a plan runs or contacts. Secrets are not shown. */
export function describePlan(plan: Plan): string {
  if ('url' in plan) return `connects to ${writePieces(plan.url)}${withValues('headers', plan.headers)}`
  const words = [plan.command, ...plan.args.map(writePieces)].map(quote)
  return `runs ${words.join(' ')}${withValues('variables', plan.env)}`
}

/** The values as well, because the entry's author can have fixed them. */
function withValues(what: string, values: Readonly<Record<string, readonly FilledPiece[]>>): string {
  const shown = Object.entries(values).map(([name, pieces]) => `${name}=${quote(writePieces(pieces))}`)
  return shown.length === 0 ? '' : ` with the ${what} ${shown.join(', ')}`
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
