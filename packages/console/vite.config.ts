import { fileURLToPath } from 'node:url'
import { defineConfig, type Plugin } from 'vite'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** The component library ships its strings in 34 languages; the console needs only English. */
const oneLanguage: Plugin = {
  name: 'one-language',
  enforce: 'pre',
  load(id) {
    return /\/intl\/[^/]+\/(?!en-US)[a-z]{2}-[A-Z]{2}\.m?js$/.test(id) ? 'export default {}' : undefined
  },
}

export default defineConfig({
  root: here('.'),
  base: './',
  plugins: [oneLanguage],
  build: {
    outDir: here('../gateway/dist/console'),
    emptyOutDir: true,
    target: ['chrome123', 'firefox128', 'safari17.5'],
    // Nothing inline: the content security policy allows only files from our own origin.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      // Libraries mark browser-only modules; all code here is for browsers.
      onwarn: (warning, warn) => warning.code === 'MODULE_LEVEL_DIRECTIVE' || warn(warning),
    },
  },
})
