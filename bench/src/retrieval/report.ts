import { formatTable } from '../format-table.ts'
import type { Bar } from './bars.ts'
import type { RetrievalResults, Scores } from './evaluate.ts'
import type { SpeedResults } from './speed.ts'

/** Three decimals. A missing measurement is a dash, not a zero. */
function show(value: number, digits = 3): string {
  return Number.isFinite(value) ? value.toFixed(digits) : '–'
}

export function reportQuality(results: RetrievalResults, bars: readonly Bar[]): string {
  return [
    'Retrieval: relevant tools among the first ten results of each query',
    reportScores(results),
    reportAnswers(results),
    reportBars(bars),
  ].join('\n\n')
}

function reportScores({ sets, macro }: RetrievalResults): string {
  const rows = sets.flatMap(({ set, tools, queries, rankers }) =>
    rankers.map(({ ranker, scores }, at) => [
      ...(at === 0 ? [set, String(tools), String(queries)] : ['', '', '']),
      ranker,
      ...listScores(scores),
    ]),
  )
  const means = macro.map(({ ranker, scores }, at) => [
    at === 0 ? 'mean over sets' : '',
    '',
    '',
    ranker,
    ...listScores(scores),
  ])
  const head = ['set', 'tools', 'queries', 'ranker', 'R@1', 'R@3', 'R@5', 'R@10', 'MRR', 'nDCG@10']
  return formatTable(head, [...rows, ...means])
}

function listScores({ recall1, recall3, recall5, recall10, mrr, ndcg10 }: Scores): string[] {
  return [recall1, recall3, recall5, recall10, mrr, ndcg10].map(value => show(value))
}

function reportAnswers({ sets }: RetrievalResults): string {
  const rows = sets.map(({ set, answers }) => [
    set,
    show(answers.listedTool, 0),
    show(answers.compact, 0),
    show(answers.full, 0),
    show(answers.breakEvenCompact, 0),
    show(answers.breakEvenFull, 0),
  ])
  const head = [
    'set',
    'a listed tool',
    'compact answer',
    'full answer',
    'break-even compact',
    'break-even full',
  ]
  return [
    'Estimated tokens (four characters each) of an answer with limit 8, and the number of tools from which one search',
    '(with 1,200 tokens for its own tools) costs less than listing all tools',
    formatTable(head, rows),
  ].join('\n')
}

function reportBars(bars: readonly Bar[]): string {
  const rows = bars.map(({ name, value, bound, sense, met }) => [
    met ? 'met' : 'MISSED',
    name,
    show(value, 4),
    `${sense} ${bound}`,
  ])
  return `Bars\n${formatTable(['', 'measure', 'value', 'bar'], rows)}`
}

export function reportSpeed(results: readonly SpeedResults[], bars: readonly Bar[]): string {
  const rows = results.map(own => [
    String(own.tools),
    String(own.servers),
    show(own.query50, 2),
    show(own.query99, 2),
    show(own.query99AsItCame, 2),
    show(own.update50, 2),
    show(own.addTool, 0),
    show(own.megabytes, 1),
  ])
  const head = ['tools', 'servers', 'query p50', 'query p99', 'all runs', 'replace 50 tools', 'add µs', 'MB']
  return [
    'Search, CPU milliseconds (p99 over the best of three runs of each query; "all runs" is the p99 over all runs)',
    formatTable(head, rows),
    reportBars(bars),
  ].join('\n\n')
}
