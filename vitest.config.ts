import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { LONG_TESTS } from './test/long-tests.mjs'
import { PATIENCE_MS, TEST_MS } from './test/support/patience.ts'

/** A file of a package, as somebody wrote it. */
function source(path: string): string {
  return fileURLToPath(new URL(`packages/${path}`, import.meta.url))
}

export default defineConfig({
  resolve: {
    // Tests read the sources, so that a failing line is a line somebody wrote.
    alias: {
      '@hintgate/metadata': source('metadata/src/index.ts'),
      '@hintgate/toolkit/testing': source('toolkit/src/testing/index.ts'),
      '@hintgate/toolkit': source('toolkit/src/index.ts'),
      '@hintgate/agent/ai-sdk': source('agent/src/adapters/ai-sdk.ts'),
      '@hintgate/agent/openai-agents': source('agent/src/adapters/openai-agents.ts'),
      '@hintgate/agent': source('agent/src/index.ts'),
    },
  },
  test: {
    include: ['packages/*/src/**/*.test.ts', 'bench/src/**/*.test.ts', 'test/**/*.test.ts'],
    exclude: ['**/node_modules/**', ...(process.env.HINTGATE_QUICK === '1' ? LONG_TESTS : [])],
    globalSetup: ['test/support/bundle-first.mjs'],
    testTimeout: TEST_MS,
    hookTimeout: TEST_MS,
    expect: { poll: { timeout: PATIENCE_MS } },
    // On two cores: end-to-end tests start processes of their own, and wait for them a third of the time.
    maxWorkers: 4,
  },
})
