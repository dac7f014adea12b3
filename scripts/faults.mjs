// `npm run test:faults`: kills gateways at random moments under load, breaks their stores, stops their database, and
// reports what was lost.
//   --rounds N    kills per store (default 100; `npm test` runs a few)
//   --outage N    seconds without PostgreSQL (default 30)
//   --only TEXT   only faults whose name contains TEXT
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makePeersReady } from '../test/peers/ready.mjs'
import { readOptions } from './read-options.mjs'
import { makeReady, run } from './ready.mjs'

const values = readOptions(import.meta.url, {
  rounds: { type: 'string', default: '100' },
  outage: { type: 'string', default: '30' },
  only: { type: 'string' },
})

await makeReady('everything')
// test/peers contains the PostgreSQL that is killed.
await makePeersReady()

const folder = mkdtempSync(join(tmpdir(), 'hintgate-faults-'))
const report = join(folder, 'report.jsonl')
// The report is printed after failures too.
process.once('exit', () => {
  printReport()
  rmSync(folder, { recursive: true, force: true })
})

await run(
  'vitest',
  [
    'run',
    '--reporter=default',
    ...(values.only === undefined ? [] : ['--testNamePattern', values.only]),
    // In sequence: parallel files would overload the machine.
    '--no-file-parallelism',
    'test/faults',
  ],
  'data was lost or a test failed: see above',
  {
    env: {
      ...process.env,
      HINTGATE_FAULT_ROUNDS: values.rounds,
      HINTGATE_CRASH_ROUNDS: values.rounds,
      HINTGATE_OUTAGE_MS: String(Number(values.outage) * 1000),
      HINTGATE_FAULT_REPORT: report,
    },
  },
)

function printReport() {
  const lines = existsSync(report) ? readFileSync(report, 'utf8').trim().split('\n') : []
  const faults = lines.map(line => JSON.parse(line))
  console.log('\nfaults and losses\n')
  for (const { fault, tried, lost } of faults) {
    console.log(`  ${fault}\n    runs: ${tried}\n    lost: ${lost.length === 0 ? 'nothing' : lost.length}`)
    for (const what of lost.slice(0, 20)) console.log(`           ${what}`)
  }
  const count = faults.reduce((sum, { lost }) => sum + lost.length, 0)
  console.log(`\n  ${faults.length} faults, lost in total: ${count === 0 ? 'nothing' : count}`)
}
