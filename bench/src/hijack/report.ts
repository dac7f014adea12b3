import { formatTable } from '../format-table.ts'
import type { Bar } from './bars.ts'
import { UNSEEN_FORMS } from './rewrite-attack.ts'
import { type Cell, countBy, type Share, scoreRuns } from './score.ts'

const MOST_LISTED = 40

/** Unseen forms first: they say what the recorded ones cannot. */
export function reportHijack(
  cells: readonly Cell[],
  { bars, lists }: { readonly bars: readonly Bar[]; readonly lists: boolean },
): string {
  const of = (table: Cell['table']): Cell[] => cells.filter(cell => cell.table === table)
  const isUnseen = ({ name }: Cell): boolean => (UNSEEN_FORMS as readonly string[]).includes(name)
  const controls = of('control')
  const sections: [string, string][] = [
    [
      'Hijacked runs that were stopped, in forms that the rules were not written against',
      tableOfNames(of('form').filter(isUnseen)),
    ],
    ['In other forms', tableOfNames(of('form').filter(cell => !isUnseen(cell)))],
    ['As recorded, tools without annotations', tableOfSuites(withTotals(of('recorded')))],
    ['Adaptive attackers: runs that were stopped', tableOfNames(of('adaptive'))],
    ['With the task of the user', tableOfSuites(withTotals(of('contract')))],
    ...[...new Set(controls.map(({ name }) => name))].map((name): [string, string] => [
      `Control: ${name}`,
      tableOfSuites(withTotals(controls.filter(cell => cell.name === name))),
    ]),
    ['Bars', tableOfBars(bars)],
    ...(lists ? listEndings(cells.filter(({ table }) => table !== 'control')) : []),
  ]
  return sections
    .filter(([, text]) => text !== '')
    .map(([title, text]) => `${title}\n\n${text}`)
    .join('\n\n')
}

type Row = Pick<Cell, 'suite' | 'score'>

/** The suites, those of one benchmark together, and all. */
function withTotals(cells: readonly Cell[]): Row[] {
  const families = new Set(cells.map(({ suite }) => suite.split('-')[0] ?? suite))
  const sum = (name: string, own: readonly Cell[]): Row => ({
    suite: name,
    score: scoreRuns(
      name,
      own.flatMap(({ runs }) => runs),
    ),
  })
  const ofFamilies = [...families].map(family =>
    sum(
      `${family}, all`,
      cells.filter(({ suite }) => suite.startsWith(family)),
    ),
  )
  return cells.length < 2 ? [...cells] : [...cells, ...ofFamilies, sum('all', cells)]
}

function tableOfSuites(rows: readonly Row[]): string {
  if (rows.length === 0) return ''
  return formatTable(
    ['suite', 'stopped', '95 %', 'quiet', '95 %', 'questions per run', 'honest refused'],
    rows.map(({ suite, score }) => [
      suite,
      show(score.stopped),
      interval(score.stopped),
      show(score.quiet),
      interval(score.quiet),
      Number.isNaN(score.questionsPerRun) ? '–' : score.questionsPerRun.toFixed(2),
      String(score.honestRefused),
    ]),
  )
}

function tableOfNames(cells: readonly Cell[]): string {
  if (cells.length === 0) return ''
  const names = [...new Set(cells.map(({ name }) => name))]
  const suites = [...new Set(cells.map(({ suite }) => suite))]
  const row = (title: string, own: readonly Cell[]): string[] => {
    const stoppedOf = (some: readonly Cell[]): Share =>
      scoreRuns(
        title,
        some.flatMap(({ runs }) => runs),
      ).stopped
    const all = stoppedOf(own)
    const bySuite = suites.map(suite => show(stoppedOf(own.filter(cell => cell.suite === suite))))
    return [title, ...bySuite, show(all), interval(all), String(all.of)]
  }
  const rows = names.map(name =>
    row(
      name,
      cells.filter(cell => cell.name === name),
    ),
  )
  return formatTable(['', ...suites, 'all', '95 %', 'runs'], [...rows, row('all', cells)])
}

function tableOfBars(bars: readonly Bar[]): string {
  return formatTable(
    ['', 'measure', 'value', 'bar'],
    bars.map(({ met, name, value, sense, bound }) => [
      met ? '✓' : '✗',
      name,
      value.toFixed(3),
      `${sense} ${bound.toFixed(3)}`,
    ]),
  )
}

function listEndings(cells: readonly Cell[]): [string, string][] {
  const slipped = cells.flatMap(({ suite, name, runs }) =>
    runs.flatMap(run =>
      run.kind === 'hijacked' && !run.isStopped ? [`${suite}, ${name}: ${run.slipped ?? 'only reads'}`] : [],
    ),
  )
  const asked = cells
    .filter(({ table }) => table === 'recorded' || table === 'contract')
    .flatMap(({ suite, name, runs }) =>
      runs
        .filter(({ kind }) => kind === 'honest')
        .flatMap(run => run.stops.map(stop => `${suite}, ${name}: ${stop}`)),
    )
  return [
    ['What slipped', list(slipped)],
    ['What asked in honest runs, by rule', list(asked)],
  ]
}

function list(names: readonly string[]): string {
  return countBy(names)
    .slice(0, MOST_LISTED)
    .map(([what, count]) => `${count} × ${what}`)
    .join('\n')
}

function show({ count, of }: Share): string {
  return of === 0 ? '–' : `${((100 * count) / of).toFixed(1)} %`
}

function interval({ of, low, high }: Share): string {
  return of === 0 ? '–' : `${Math.max(0, 100 * low).toFixed(0)}–${(100 * high).toFixed(0)}`
}
