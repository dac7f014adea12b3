// `npm test`: everything that must hold before a commit lands. Arguments select tests, as in Vitest.

import { LONG_TESTS } from '../test/long-tests.mjs'
import { makePeersReady } from '../test/peers/ready.mjs'
import { makeReady, run, say } from './ready.mjs'

await makeReady('everything')
await makePeersReady()
const isLong = process.argv.includes('--long')
const selection = isLong ? LONG_TESTS : process.argv.slice(2)
if (selection.length === 0) {
  process.env.HINTGATE_QUICK = '1'
  say(`${LONG_TESTS.length} files of tests are left out because they take long: npm run test:long`)
}
if (selection.length === 0)
  await run('node', ['scripts/check.mjs'], 'npm run check found something: see above')
await run('vitest', ['run', ...selection], 'some tests failed: see above')
if (selection.length === 0)
  await run('node', ['scripts/conformance.mjs', '--skip', 'auth/'], 'the gateway does not conform: see above')
