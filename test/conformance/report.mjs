// Tables for a terminal.
import { formatTable } from '../../bench/dist/format-table.js'

/** One row for each scenario; `legs` is a map of connection → comparison rows. */
export function describeRevision(title, direct, legs) {
  const names = [...legs.keys()]
  const rows = direct.map(({ name, passed }) => [
    name,
    String(passed),
    ...names.map(leg => describeCell(legs.get(leg).find(row => row.name === name))),
  ])
  const sums = names.map(leg => legs.get(leg).reduce((sum, row) => sum + row.through, 0))
  const total = direct.reduce((sum, { passed }) => sum + passed, 0)
  const head = [title, 'direct', ...names]
  const table = formatTable(head, [
    ...rows,
    [`${direct.length} scenarios`, String(total), ...sums.map(String)],
  ])
  const excused = [...legs.values()].flat().filter(row => row.excuse !== undefined)
  return [table, ...excused.map(({ name, excuse }) => `(*) ${name}: ${excuse}`)].join('\n')
}

function describeCell(row) {
  if (row === undefined) return 'not run'
  if (row.excuse !== undefined) return `${row.through} (*)`
  return `${row.through} ${row.ok ? '✓' : '✗'}`
}

/** The reasons why rows failed, as the suite prints them. */
export function describeFailures(title, rows) {
  return rows
    .filter(row => !row.ok)
    .flatMap(({ name, direct, through, got }) => [
      `✗ ${title} ${name}: ${through} checks passed (${got?.skipped ?? 0} skipped), directly ${direct}`,
      ...(got?.failures ?? []).map(({ status, id, message }) => `    ${status} ${id}: ${message}`),
    ])
}
