// `npm run bench`: measures the cost of a call through Hintgate, compared with a direct call, the floor and other proxies.
import { makePeersReady } from '../test/peers/ready.mjs'
import { makeReady, run } from './ready.mjs'

// `everything`: installing only the product would remove the developer's tools.
await makeReady('everything')
await makePeersReady()
await run(
  'node',
  ['bench/dist/bench.js', ...process.argv.slice(2)],
  'the benchmark failed or missed a bar: see above',
)
