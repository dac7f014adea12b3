// `node scripts/simulate.mjs`: estimates the load of one node and of a shared database; --measure --write updates
// docs/scale.md.
import { makeReady, run } from './ready.mjs'

await makeReady('everything')
await run(
  'node',
  ['bench/dist/scale/simulate.js', ...process.argv.slice(2)],
  'the simulation failed: see above',
)
