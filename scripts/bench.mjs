// `npm run bench`: what a call costs through Hintgate, beside the direct way, the floor and other proxies.
import { makePeersReady } from '../test/peers/ready.mjs'
import { makeReady, run } from './ready.mjs'

// Everything: installing only what the product needs would take the developer's tools away again.
await makeReady('everything')
await makePeersReady()
await run(
  'node',
  ['bench/dist/bench.js', ...process.argv.slice(2)],
  'the bench failed or missed a bar: see above',
)
