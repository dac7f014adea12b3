// `npm run test:faults`: kills the gateway at random moments under load, breaks its store, and says what was lost.
//   --rounds N   how often it is killed (default 100); `npm test` does it three times
import { parseArgs } from 'node:util'
import { makeReady, run } from './ready.mjs'

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '100' } } })

await makeReady('everything')
await run(
  'vitest',
  ['run', '--reporter=default', 'test/e2e/faults.test.ts', 'test/e2e/faults-store.test.ts'],
  'something was lost: see above',
  { env: { ...process.env, HINTGATE_FAULT_ROUNDS: values.rounds } },
)
