// `npm run test:hostile`: tries every known attack from outside; test/hostile/README.md lists the tests for each.
//   --only TEXT   only tests whose name contains TEXT
import { readFileSync } from 'node:fs'
import { readOptions } from './read-options.mjs'
import { makeReady, run } from './ready.mjs'

const values = readOptions(import.meta.url, { only: { type: 'string' } })

/** The table in the README selects the tests. Load has its own command. */
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
  'an attack succeeded: see above',
)
