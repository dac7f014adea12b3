import { namesSecret } from '../../detect/text/looks.ts'
import type { ApiTarget } from './api-target.ts'

const HIDDEN = '[masked]'
/** Minimum length of a value that is treated as a secret. Shorter values are usually words. */
const SHORT = 6

/**
 * Removes from an API's answer the credentials that the request contained, because some services repeat the headers of
 * a request. Everything else in the answer stays as it is.
 */
export function hideSecrets(
  { headers, auth, confided = [] }: ApiTarget,
  sent: readonly (string | undefined)[],
): (text: string) => string {
  const named = Object.entries(headers).filter(
    ([name]) => namesSecret(name) || /^(?:authorization|cookie)$/i.test(name),
  )
  const own = [
    ...named.map(([, value]) => value),
    ...confided,
    auth?.kind === 'header' ? auth.value : undefined,
    auth?.kind === 'clientCredentials' ? auth.clientSecret : undefined,
    ...sent,
  ]
  const values = own.flatMap(value =>
    value === undefined ? [] : [value, value.slice(value.indexOf(' ') + 1)],
  )
  const spelt = values
    .filter(value => value.length >= SHORT)
    .flatMap(value => [value, JSON.stringify(value).slice(1, -1)])
  // Longest first, because one secret can contain another.
  const secrets = [...new Set(spelt)].toSorted((a, b) => b.length - a.length)
  return text => secrets.reduce((left, secret) => left.replaceAll(secret, HIDDEN), text)
}
