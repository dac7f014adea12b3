// `npm run fuzz`: runs the properties of test/fuzz with new inputs for a while. `npm test` runs them with a fixed seed.
//   --time N      total seconds, shared by the properties (default 60)
//   --seed N      repeat the inputs of a failure, which prints its seed and path
//   --only TEXT   only tests whose name contains TEXT
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readOptions } from './read-options.mjs'
import { makeReady, ROOT, run } from './ready.mjs'

const values = readOptions(import.meta.url, {
  time: { type: 'string', default: '60' },
  seed: { type: 'string' },
  only: { type: 'string' },
})

await makeReady('everything')
const folder = join(ROOT, 'test/fuzz')
const sources = readdirSync(folder)
  .filter(name => name.endsWith('.test.ts'))
  .map(name => readFileSync(join(folder, name), 'utf8'))
const properties = sources.join('\n').match(/\beffort\(/g)?.length ?? 1

await run(
  'vitest',
  [
    'run',
    '--reporter=default',
    ...(values.only === undefined ? [] : ['--testNamePattern', values.only]),
    'test/fuzz',
  ],
  'a property failed: reproduce it with the seed above, and write a test for it',
  {
    env: {
      ...process.env,
      HINTGATE_FUZZ_MS: String(Math.ceil((Number(values.time) * 1000) / properties)),
      ...(values.seed === undefined ? {} : { HINTGATE_FUZZ_SEED: values.seed }),
    },
  },
)
