// `npm run train -- NAME [--data DIR]`: learns the weights of the judgements again from labelled data.
import { makeReady, run } from './ready.mjs'

await makeReady('everything')
await run('node', ['bench/dist/train.js', ...process.argv.slice(2)], 'the training failed: see above')
