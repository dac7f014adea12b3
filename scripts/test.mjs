// `npm test`: everything that must hold before a commit lands. Arguments select tests, as in Vitest.
import { makePeersReady } from '../test/peers/ready.mjs'
import { makeReady, run } from './ready.mjs'

await makeReady('everything')
await makePeersReady()
const selection = process.argv.slice(2)
if (selection.length === 0)
  await run('node', ['scripts/check.mjs'], 'npm run check found something: see above')
await run('vitest', ['run', ...selection], 'some tests failed: see above')
if (selection.length === 0)
  await run('node', ['scripts/conformance.mjs'], 'the gateway does not conform: see above')
