// `npm test`: runs all checks and tests of a commit. Arguments select tests, as in Vitest.

import { LONG_TESTS } from '../test/long-tests.mjs'
import { makePeersReady } from '../test/peers/ready.mjs'
import { makeReady, run, say } from './ready.mjs'
import { runBeside } from './run-beside.mjs'

await makeReady('everything')
await makePeersReady()
const isLong = process.argv.includes('--long')
const selection = isLong ? LONG_TESTS : process.argv.slice(2)
if (selection.length > 0) await run('vitest', ['run', ...selection], 'some tests failed: see above')
else await testEverything()

async function testEverything() {
  process.env.HINTGATE_QUICK = '1'
  say(`skipping ${LONG_TESTS.length} slow test files; run them with npm run test:long`)
  say('running a soak test in the background (npm run test:soak)')
  const finishSoak = runBeside('scripts/soak.mjs', [], 'the soak failed: see above')
  await run('node', ['scripts/check.mjs'], 'npm run check found problems: see above')
  const others = ['run', '--exclude', 'test/soak/soak.test.ts']
  await run('vitest', others, 'some tests failed: see above')
  await run('node', ['scripts/conformance.mjs', '--skip', 'auth/'], 'the conformance tests failed: see above')
  await finishSoak()
}
