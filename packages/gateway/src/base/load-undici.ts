import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/**
 * Loads undici when the first server is reached over HTTP, so that a start without such servers does not wait for it.
 */
export function loadUndici(): typeof import('undici') {
  return require('undici') as typeof import('undici')
}
