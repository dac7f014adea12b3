// `node scripts/simulate.mjs`: what one node and what a shared database carry; --measure --write brings docs/scale.md up to date.
import { makeReady, run } from './ready.mjs'

await makeReady('everything')
await run(
  'node',
  ['bench/dist/scale/simulate.js', ...process.argv.slice(2)],
  'the simulation failed: see above',
)
