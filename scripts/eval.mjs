// `npm run eval -- NAME [--data DIR] [--json]`: measures quality against labelled data.
import { makeReady, run } from './ready.mjs'

// MiniSearch, which the search is compared with, is not part of the product.
await makeReady('everything')
await run('node', ['bench/dist/eval.js', ...process.argv.slice(2)], 'the evaluation failed: see above')
