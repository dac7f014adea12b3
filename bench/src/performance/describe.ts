// The figures as tables for a terminal.
import { formatTable } from '../format-table.ts'
import type { Bar } from './bars.ts'
import type { Figures } from './measure.ts'
import { describeSetting, describeShape } from './plan.ts'

const HEAD = [
  'setting',
  'load',
  'way',
  'CPU µs/call',
  '× floor',
  'added p50 µs',
  'added p99 µs',
  'calls/s',
  'RSS MB',
]

export function describeFigures(figures: readonly Figures[]): string {
  const rows = figures.map(figure => {
    const cell = [describeSetting(figure.setting), describeShape(figure.shape), figure.contender]
    const { result } = figure
    if (result.kind === 'failed') return [...cell, '–', '–', '–', '–', '–', '–']
    const direct = findBeside(figures, figure, 'direct')
    const floor = findBeside(figures, figure, 'floor')
    return [
      ...cell,
      round(result.cpuMicros),
      divide(result.cpuMicros, floor?.cpuMicros),
      round(direct && figure.contender !== 'direct' ? result.p50Micros - direct.p50Micros : undefined),
      round(direct && figure.contender !== 'direct' ? result.p99Micros - direct.p99Micros : undefined),
      round(result.callsPerSecond),
      round(result.rssMegabytes),
    ]
  })
  return [formatTable(HEAD, hideRepeated(rows)), ...describeFailures(figures)].join('\n')
}

function findBeside(figures: readonly Figures[], { setting, shape }: Figures, contender: string) {
  const found = figures.find(
    other => other.setting === setting && other.shape === shape && other.contender === contender,
  )
  return found?.result.kind === 'measured' ? found.result : undefined
}

function describeFailures(figures: readonly Figures[]): string[] {
  const lines = figures.flatMap(({ setting, contender, result }) =>
    result.kind === 'failed'
      ? [`– ${contender}, ${describeSetting(setting)}: ${result.why.split('\n')[0]}`]
      : [],
  )
  return lines.length === 0 ? [] : ['', ...new Set(lines)]
}

/** A setting and a load are shown in their first row only. */
function hideRepeated(rows: readonly string[][]): string[][] {
  return rows.map((row, index) => {
    const before = rows[index - 1]
    const isSameSetting = before?.[0] === row[0]
    const isSameLoad = isSameSetting && before?.[1] === row[1]
    return [isSameSetting ? '' : (row[0] ?? ''), isSameLoad ? '' : (row[1] ?? ''), ...row.slice(2)]
  })
}

export function describeBars(bars: readonly Bar[]): string {
  const rows = bars.map(({ name, wanted, got, met }) => [
    name,
    wanted,
    got ?? 'not measured',
    // A figure without a bar is neither met nor missed.
    met === undefined || wanted === '' ? '' : met ? 'met' : 'MISSED',
  ])
  return formatTable(['bar', 'wanted', 'got', ''], rows)
}

function round(value: number | undefined): string {
  // A long minus sign, because `-` would not count as part of a figure.
  return value === undefined ? '' : String(Math.round(value)).replace('-', '–')
}

function divide(a: number | undefined, b: number | undefined): string {
  return a === undefined || b === undefined ? '' : (a / b).toFixed(2)
}
