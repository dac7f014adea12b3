import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/** Loads cockatiel on the first failure, so that it does not delay the start. */
export function loadCockatiel(): typeof import('cockatiel') {
  return require('cockatiel') as typeof import('cockatiel')
}
