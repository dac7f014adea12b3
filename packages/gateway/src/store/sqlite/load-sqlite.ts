import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/** For those who mostly do not need it: the native part takes its time to load. */
export function loadSqlite(): typeof import('@photostructure/sqlite') {
  return require('@photostructure/sqlite') as typeof import('@photostructure/sqlite')
}
