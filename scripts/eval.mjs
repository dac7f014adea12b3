// `npm run eval -- NAME [--data DIR] [--json]`: measures quality against labelled data.
import { makeReady, run } from './ready.mjs'

await makeReady('product')
await run('node', ['bench/dist/eval.js', ...process.argv.slice(2)], 'the evaluation failed: see above')
