// `npm test`: everything that must hold before a commit lands. Arguments select tests, as in Vitest.

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
  say(`${LONG_TESTS.length} files of tests are left out because they take long: npm run test:long`)
  say('a soak runs beside the tests: npm run test:soak')
  const finishSoak = runBeside('scripts/soak.mjs', [], 'the soak failed: see above')
  await run('node', ['scripts/check.mjs'], 'npm run check found something: see above')
  const others = ['run', '--exclude', 'test/soak/soak.test.ts']
  await run('vitest', others, 'some tests failed: see above')
  await run('node', ['scripts/conformance.mjs', '--skip', 'auth/'], 'the gateway does not conform: see above')
  await finishSoak()
}
