// No imports, because Vite is not among the peers. The module of the client for Node is never used in a browser.
export default {
  base: './',
  logLevel: 'error',
  build: { outDir: '../dist/host', emptyOutDir: true, minify: false, target: 'es2022' },
}
