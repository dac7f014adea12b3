import { entropyOf } from '../text/entropy.ts'
import { namesSecret } from '../text/looks.ts'
import { maskSecrets } from './mask-secrets.ts'

/** Recognising secrets in a client's config. A false positive is preferred to a missed secret. */

const TELLING_KEY = /key|token|secret|passw|pwd|auth|credential|cookie|session|dsn|_pat$|^pat$|webhook/i
const HARMLESS_HEADER = /^(?:accept(?:-.*)?|content-type|user-agent|mcp-protocol-version|cache-control)$/i
const SWITCH = /^(?:true|false|yes|no|on|off|[01])$/i
/** Matches names of numbers, such as `MAX_TOKENS`, which are not secrets. */
const COUNTING = /tokens$|count|limit|max|min|size|timeout|port/i
const SCHEME = /^(?:bearer|basic|token|apikey|bot)\s*$/i
const RANDOM = /^[\w+/=.~-]{20,}$/
const RANDOM_BITS = 3.6

export function isSecretHeader(name: string, value: string): boolean {
  return !HARMLESS_HEADER.test(name) && !isNothing(value)
}

export function isSecretVariable(name: string, value: string): boolean {
  return isSecretUnder(name, value) || (!isHarmless(name, value) && isSecretText(value))
}

/** True if a text looks like a secret, regardless of its name. */
export function isSecretText(text: string): boolean {
  return maskSecrets(text) !== text || looksRandom(text)
}

export function isSecretUnder(name: string, value: string): boolean {
  return (TELLING_KEY.test(name) || namesSecret(name)) && !isHarmless(name, value)
}

function isHarmless(name: string, value: string): boolean {
  return isNothing(value) || SWITCH.test(value) || (/^\d+$/.test(value) && COUNTING.test(name))
}

/** True for a text that is long, has letters and digits, and looks random. */
export function looksRandom(text: string): boolean {
  const isPath = /^[.~]?\/|^[a-z]+:\/\/|\.(?:js|ts|py|json|mjs|cjs|sh)$|^@/i.test(text)
  return (
    !isPath && RANDOM.test(text) && /\d/.test(text) && /[a-z]/i.test(text) && entropyOf(text) > RANDOM_BITS
  )
}

function isNothing(value: string): boolean {
  return value.trim() === '' || SCHEME.test(value.trim())
}
