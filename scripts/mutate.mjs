// `npm run mutate`: breaks the modules that decide, one operator at a time; the tests must notice.
import { makeReady, makeReadyFolder, run } from './ready.mjs'

await makeReady('everything')
await makeReadyFolder('test/mutation')
const stryker = 'test/mutation/node_modules/@stryker-mutator/core/bin/stryker.js'
await run('node', [stryker, 'run', 'test/mutation/stryker.config.mjs'], 'mutants survived: see above')
