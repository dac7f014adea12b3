#!/usr/bin/env node
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`hintgate needs Node 20.19 or newer; this is ${process.version}`)
  process.exit(2)
}
const { main } = await import('../dist/cli/main.js').catch(error => {
  if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error
  console.error('hintgate is not built yet: run `npm run build` in the repository, then try again')
  process.exit(2)
})
await main(process.argv)
