// `npm run test:faults`: kills gateways at random moments under load, breaks their stores, takes their database away,
// and says what was tried and what was lost.
//   --rounds N    how often they are killed on each store (default 100); `npm test` does it a few times
//   --outage N    for how many seconds PostgreSQL is gone (default 30)
//   --only TEXT   only faults whose name has this in it
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
// The PostgreSQL that is killed comes from there.
await makePeersReady()

const folder = mkdtempSync(join(tmpdir(), 'hintgate-faults-'))
const report = join(folder, 'report.jsonl')
// Also when something was lost: then more than ever.
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
    // One after the other: what two of them do to two cores at once is no fault that anybody asked for.
    '--no-file-parallelism',
    'test/faults',
  ],
  'something was lost or went wrong: see above',
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
  console.log('\nwhat was tried, and what was lost\n')
  for (const { fault, tried, lost } of faults) {
    console.log(`  ${fault}\n    tried: ${tried}\n    lost:  ${lost.length === 0 ? 'nothing' : lost.length}`)
    for (const what of lost.slice(0, 20)) console.log(`           ${what}`)
  }
  const count = faults.reduce((sum, { lost }) => sum + lost.length, 0)
  console.log(`\n  ${faults.length} faults, lost in all of them together: ${count === 0 ? 'nothing' : count}`)
}
