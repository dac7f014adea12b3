import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/** Loaded by the first failure: as long as every server is well, nobody need wait for it at the start. */
export function loadCockatiel(): typeof import('cockatiel') {
  return require('cockatiel') as typeof import('cockatiel')
}
