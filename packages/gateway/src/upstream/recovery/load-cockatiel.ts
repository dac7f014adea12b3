import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/** Loads cockatiel at the first failure, so that it does not slow down the start. */
export function loadCockatiel(): typeof import('cockatiel') {
  return require('cockatiel') as typeof import('cockatiel')
}
