#!/usr/bin/env node
// This file uses only old syntax, so that an old Node can report that it is too old.
var version = process.versions.node.split('.')
if (Number(version[0]) < 20 || (Number(version[0]) === 20 && Number(version[1]) < 19)) {
  console.error(
    `hintgate needs Node 20.19 or newer; this is ${process.version}. Get one from https://nodejs.org`,
  )
  process.exit(2)
}
import('./load-command.js')
  .then(loader => loader.loadCommand())
  .then(
    loaded => loaded.main(process.argv),
    error => {
      if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error
      console.error('hintgate is not built yet: run `npm run build` in the repository, then try again')
      process.exit(2)
    },
  )
