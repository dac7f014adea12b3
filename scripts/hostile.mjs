// `npm run test:hostile`: every known way in, tried from outside; test/hostile/README.md says which test is for which.
//   --only TEXT   only tests whose name has this in it
import { readOptions } from './read-options.mjs'
import { makeReady, run } from './ready.mjs'

const values = readOptions(import.meta.url, { only: { type: 'string' } })

await makeReady('everything')
await run(
  'vitest',
  [
    'run',
    '--reporter=default',
    ...(values.only === undefined ? [] : ['--testNamePattern', values.only]),
    'test/hostile',
    ...['gateway-auth', 'gateway-limits', 'gateway-sessions', 'gateway-hostile', 'past-the-checks'].map(
      testFile,
    ),
    ...['lying-server', 'search-scope', 'search-secrecy', 'confirm-rules'].map(testFile),
  ],
  'somebody got in: see above',
)

function testFile(name) {
  return `test/e2e/${name}`
}
