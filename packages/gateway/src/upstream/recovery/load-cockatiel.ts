import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/** Loads cockatiel at the first failure, to keep it out of the start. */
export function loadCockatiel(): typeof import('cockatiel') {
  return require('cockatiel') as typeof import('cockatiel')
}
