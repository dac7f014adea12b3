import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  resolve: {
    // Tests read the sources, so that a failing line is a line somebody wrote.
    alias: {
      '@hintgate/metadata': fileURLToPath(new URL('packages/metadata/src/index.ts', import.meta.url)),
    },
  },
  test: {
    include: ['packages/*/src/**/*.test.ts', 'bench/src/**/*.test.ts', 'test/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // The machine has two cores, and end-to-end tests start processes of their own.
    maxWorkers: 2,
  },
})
