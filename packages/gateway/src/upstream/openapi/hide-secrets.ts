import { looksLikeKey, namesSecret } from '../../detect/text/looks.ts'
import type { ApiTarget } from './api-target.ts'
import { type Hide, hideAll } from './request/hide.ts'

/**
 * Removes from an API's answer the credentials that the request contained, because some services repeat the headers of
 * a request. Everything else in the answer stays as it is.
 */
export function hideSecrets(target: ApiTarget, sent: readonly (string | undefined)[]): Hide {
  return hideAll([...ownSecrets(target), ...sent])
}

function ownSecrets({ headers, auth, url, confided = [] }: ApiTarget): readonly (string | undefined)[] {
  const named = Object.entries(headers).filter(
    ([name]) => namesSecret(name) || /^(?:authorization|cookie)$/i.test(name),
  )
  return [
    ...named.map(([, value]) => value),
    ...confided,
    auth?.kind === 'header' ? auth.value : undefined,
    auth?.kind === 'clientCredentials' ? auth.clientSecret : undefined,
    ...(url === undefined ? [] : inAddress(new URL(url))),
  ]
}

function inAddress({ searchParams, username, password }: URL): readonly string[] {
  const members = [...searchParams].filter(([name, value]) => namesSecret(name) || looksLikeKey(value))
  return [username, password, ...members.map(([, value]) => value)]
}
