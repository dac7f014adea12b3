// `npm start`. Until the gateway exists it lints the example tools.

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { makeReady, ROOT, run } from './ready.mjs'

await makeReady('product')
const files = readdirSync(join(ROOT, 'examples'))
  .filter(name => /\.jsonl?$/.test(name))
  .sort()
const paths = files.map(name => `examples/${name}`)
await run('hintgate', ['lint', ...paths, ...process.argv.slice(2)], 'the linter found errors in the examples')
