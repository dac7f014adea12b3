import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/** Loaded by the first failure: as long as every server is well, no start waits for it. */
export function loadCockatiel(): typeof import('cockatiel') {
  return require('cockatiel') as typeof import('cockatiel')
}
