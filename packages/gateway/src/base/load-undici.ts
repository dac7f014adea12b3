import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/** Loads undici on first use, so that a start without HTTP servers does not wait for it. */
export function loadUndici(): typeof import('undici') {
  return require('undici') as typeof import('undici')
}
