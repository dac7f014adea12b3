import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: { include: ['packages/metadata/src/{hint,record,derive,authoring}/**/*.test.ts'] },
})
