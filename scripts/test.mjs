// `npm test`: everything that must hold before a commit lands. Arguments select tests, as in Vitest.
import { makeReady, run } from './ready.mjs'

await makeReady('everything')
const selection = process.argv.slice(2)
if (selection.length === 0)
  await run('node', ['scripts/check.mjs'], 'npm run check found something: see above')
await run('vitest', ['run', ...selection], 'some tests failed: see above')
