// The figures as tables for docs/scale.md.
import { type Estimate, estimate } from './model.ts'
import type { UnitCosts } from './unit-costs.ts'
import { REPLICAS, SHARES, WORKLOADS } from './workload.ts'

export function describeScale(costs: UnitCosts): string {
  return [
    describeNode(costs),
    describeUnits(costs),
    ...WORKLOADS.map(load => describeLoad(load, costs)),
  ].join('\n\n')
}

function describeNode({ measuredAt, machine, loadBefore, node }: UnitCosts): string {
  const perCore = (micros: number): string => round(1e6 / micros)
  const calls = 1e6 / (SHARES.writes * node.writeMicros + (1 - SHARES.writes) * node.readMicros)
  return `Measured ${measuredAt} on ${machine}, at a load average of ${loadBefore}:

${table(
  ['one node', '', 'so'],
  [
    [
      'the cheapest possible pipe in Node',
      `${round(node.floorMicros)} µs of CPU per call`,
      `${perCore(node.floorMicros)} calls/s on a core`,
    ],
    ['a read, recorded', `${round(node.readMicros)} µs`, `${perCore(node.readMicros)} calls/s`],
    [
      'a write, recorded before and after',
      `${round(node.writeMicros)} µs`,
      `${perCore(node.writeMicros)} calls/s`,
    ],
    [`${round(100 * SHARES.writes)} % writes`, '', `${round(calls)} calls/s`],
    ['idle after start', `${round(node.idleMegabytes)} MB`, ''],
    [
      'a tool',
      `${round(node.bytesPerTool / 1000)} KB`,
      `${round((10_000 * node.bytesPerTool) / 1e6)} MB for 10,000 tools`,
    ],
    [
      'an open session of an older client',
      `${round(node.bytesPerSession / 1000)} KB`,
      `${round((10_000 * node.bytesPerSession) / 1e6)} MB for 10,000 sessions`,
    ],
    [
      'an audit row on disk, SQLite',
      `${round(node.bytesPerRow)} bytes`,
      `${round((1e6 * node.bytesPerRow) / 1e6)} MB for 1,000,000 rows`,
    ],
  ],
)}`
}

function describeUnits({ database }: UnitCosts): string {
  return `PostgreSQL's cost, in µs of CPU:

${table(
  ['one', 'µs', 'how often'],
  [
    ['batch of audit rows', round(database.batchMicros), 'see below; waiting rows are written together'],
    ['audit row', round(database.rowMicros), 'one for a read, two for any other call'],
    [
      'lookup by key',
      round(database.lookupMicros),
      `${round(100 * SHARES.judged)} % of calls, and every 300 ms`,
    ],
    ['small write', round(database.writeMicros), 'sessions that touch a new risk factor, approvals'],
    [
      'change that all replicas receive',
      round(database.changeMicros),
      'tokens, reviews, overrides, approvals',
    ],
    ['delivery of a change to one replica', round(database.deliveryMicros), 'changes × replicas'],
  ],
)}

An audit row takes ${round(database.bytesPerRow)} bytes there, with its indexes.`
}

function describeLoad(
  { name, callsPerSecond }: { name: string; callsPerSecond: number },
  costs: UnitCosts,
): string {
  const estimates = REPLICAS.map(replicas => estimate(replicas, callsPerSecond, costs))
  const row = (title: string, value: (one: Estimate) => string): readonly string[] => [
    title,
    ...estimates.map(value),
  ]
  return `**${name}: ${callsPerSecond} calls/s at each replica**

${table(
  ['replicas', ...REPLICAS.map(replicas => round(replicas))],
  [
    row('calls/s', one => round(one.callsPerSecond)),
    row('connections', one => round(one.connections)),
    row('audit batches/s', one => round(one.batches)),
    row('lookups/s for calls', one => round(one.lookups)),
    row('small writes/s', one => round(one.writes)),
    row('polls/s', one => round(one.polls)),
    row('changes/s', one => round(one.changes)),
    row('notifications/s', one => round(one.deliveries)),
    row('lookups/s because of changes', one => round(one.refreshes)),
    row('**transactions/s**', one => round(one.transactions)),
    row('**cores of the database**', one => round(one.cores)),
    row('audit log a day', one => `${round(one.auditGigabytesPerDay)} GB`),
  ],
)}`
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n')
}

/** Two significant digits, with commas between thousands. */
function round(value: number): string {
  if (value === 0) return '0'
  const digits = Math.max(0, 1 - Math.floor(Math.log10(Math.abs(value))))
  const rounded = Number(value.toPrecision(2))
  return rounded.toLocaleString('en-US', { maximumFractionDigits: Math.min(digits, 3) })
}
