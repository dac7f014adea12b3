import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/** Loaded by the first server that is reached over HTTP: without one nobody need wait for it at the start. */
export function loadUndici(): typeof import('undici') {
  return require('undici') as typeof import('undici')
}
