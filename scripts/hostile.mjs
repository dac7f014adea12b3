// `npm run test:hostile`: every known way in, tried from outside; test/hostile/README.md says which test is for which.
//   --only TEXT   only tests whose name has this in it
import { readFileSync } from 'node:fs'
import { readOptions } from './read-options.mjs'
import { makeReady, run } from './ready.mjs'

const values = readOptions(import.meta.url, { only: { type: 'string' } })

/** The table is the list: what it names is what runs. Load has a command of its own. */
const table = readFileSync(new URL('../test/hostile/README.md', import.meta.url), 'utf8')
const named = [...table.matchAll(/`((?:e2e|fuzz)\/[\w-]+)`/g)].map(([, name]) => `test/${name}.test.ts`)

await makeReady('everything')
await run(
  'vitest',
  [
    'run',
    '--reporter=default',
    ...(values.only === undefined ? [] : ['--testNamePattern', values.only]),
    'test/hostile',
    ...new Set(named),
  ],
  'somebody got in: see above',
)
