import { formatTable } from '../format-table.ts'
import type { Played } from './play-case.ts'
import type { Form } from './rewrite-attack.ts'
import { countBy, type HijackScore, type Share, scoreRuns } from './score.ts'

interface Scored {
  readonly suite: string
  readonly form: Form
  readonly setting: string
  readonly runs: readonly Played[]
  readonly score: HijackScore
}

const MOST_LISTED = 20

/** Unseen forms come first, because only they show how well the rules generalise. */
export function reportHijack(
  scored: readonly Scored[],
  { unseen, lists }: { readonly unseen: readonly Form[]; readonly lists: boolean },
): string {
  const defaults = scored.filter(({ setting }) => setting === 'defaults')
  const rewritten = defaults.filter(({ form }) => form !== 'recorded')
  const isUnseen = ({ form }: Scored): boolean => unseen.includes(form)
  const recorded = defaults.filter(({ form }) => form === 'recorded')
  return [
    'Attacks in forms that the rules were not written against: hijacked runs that were stopped',
    tableOfForms(rewritten.filter(isUnseen)),
    'Attacks in other forms',
    tableOfForms(rewritten.filter(one => !isUnseen(one))),
    'As recorded, default config, tools without annotations',
    tableOfSuites([...recorded, ...withTotals(recorded)]),
    ...[...new Set(scored.map(({ setting }) => setting))]
      .filter(setting => setting !== 'defaults')
      .flatMap(setting => [
        `Control: ${setting}`,
        tableOfSuites(scored.filter(one => one.setting === setting)),
      ]),
    ...(lists ? listEndings(defaults) : []),
  ].join('\n\n')
}

function withTotals(scored: readonly Scored[]): { readonly suite: string; readonly score: HijackScore }[] {
  const families = new Set(scored.map(({ suite }) => suite.split('-')[0] ?? suite))
  return [...families, ''].map(family => {
    const suite = family === '' ? 'all' : `${family}, all`
    const runs = scored.filter(one => one.suite.startsWith(family)).flatMap(one => one.runs)
    return { suite, score: scoreRuns(suite, runs) }
  })
}

function tableOfSuites(rows: readonly Pick<Scored, 'suite' | 'score'>[]): string {
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

function tableOfForms(rows: readonly Scored[]): string {
  const forms = [...new Set(rows.map(({ form }) => form))]
  const suites = [...new Set(rows.map(({ suite }) => suite))]
  return formatTable(
    ['form', ...suites, 'all', '95 %'],
    forms.map(form => {
      const own = rows.filter(row => row.form === form)
      const all = scoreRuns(
        'all',
        own.flatMap(({ runs }) => runs),
      ).stopped
      return [form, ...own.map(({ score }) => show(score.stopped)), show(all), interval(all)]
    }),
  )
}

function listEndings(scored: readonly Scored[]): string[] {
  const slipped = countBy(
    scored.flatMap(({ suite, form, runs }) =>
      runs.flatMap(run =>
        run.kind === 'hijacked' && !run.isStopped
          ? [`${suite}, ${form}: ${run.slipped ?? 'only reads'}`]
          : [],
      ),
    ),
  )
  const asked = countBy(
    scored.flatMap(({ suite, runs }) =>
      runs.filter(({ kind }) => kind === 'honest').flatMap(run => run.stops.map(stop => `${suite}: ${stop}`)),
    ),
  )
  return [
    'What slipped',
    ...slipped.slice(0, MOST_LISTED).map(([what, count]) => `${count} × ${what}`),
    'What asked in honest runs',
    ...asked.slice(0, MOST_LISTED).map(([what, count]) => `${count} × ${what}`),
  ]
}

function show({ count, of }: Share): string {
  return of === 0 ? '–' : `${((100 * count) / of).toFixed(1)} %`
}

function interval({ of, low, high }: Share): string {
  return of === 0 ? '–' : `${(100 * low).toFixed(0)}–${(100 * high).toFixed(0)}`
}
