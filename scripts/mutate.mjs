// `npm run mutate`: mutation tests of the modules that decide; the tests must fail for every mutant.
import { makeReady, makeReadyFolder, run } from './ready.mjs'

await makeReady('everything')
await makeReadyFolder('test/mutation')
const stryker = 'test/mutation/node_modules/@stryker-mutator/core/bin/stryker.js'
await run('node', [stryker, 'run', 'test/mutation/stryker.config.mjs'], 'mutants survived: see above')
