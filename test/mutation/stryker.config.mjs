import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/** The modules in which a wrong operator would be a wrong verdict. */
export default {
  mutate: [
    'packages/metadata/src/hint/strictness.ts',
    'packages/metadata/src/record/resolve-effective.ts',
    'packages/metadata/src/derive/{variant,category,reach}.ts',
    'packages/metadata/src/authoring/{contradictions,validate-metadata,check-shape}.ts',
  ],
  testRunner: 'vitest',
  plugins: [require.resolve('@stryker-mutator/vitest-runner')],
  vitest: { configFile: 'test/mutation/vitest.config.ts' },
  // Stryker rewrites tsconfig files through an API that TypeScript 7 does not have; nothing here needs that.
  tsconfigFile: 'none.json',
  // Wording may change; which findings there are, where and how severe, may not.
  mutator: { excludedMutations: ['StringLiteral'] },
  coverageAnalysis: 'perTest',
  concurrency: 2,
  reporters: ['clear-text'],
  clearTextReporter: { allowColor: false, reportTests: false },
  tempDirName: 'test/mutation/.stryker-tmp',
  thresholds: { high: 100, low: 95, break: 95 },
}
