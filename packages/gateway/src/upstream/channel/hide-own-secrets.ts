import type { TransportConfig } from '../../config/config.ts'
import { maskSecrets } from '../../detect/secrets/mask-secrets.ts'
import { findSecretArguments } from '../../detect/secrets/mask-words.ts'
import { looksLikeKey } from '../../detect/text/looks.ts'

const HIDDEN = '[masked]'
/** Minimum length of a value that is treated as a secret. Shorter values are usually words, ports or switches. */
const SHORT = 6

/**
 * Removes the secrets in a server's config from the output of that server when it fails, because agents and logs show
 * the output.
 */
export function hideOwnSecrets(transport: TransportConfig): (text: string) => string {
  const own = secretsOf(transport)
    .filter(secret => secret.length >= SHORT)
    .flatMap(secret => [secret, inJson(secret)])
  // Longest first, because one secret can contain another.
  const secrets = [...new Set(own)].toSorted((a, b) => b.length - a.length)
  return text => maskSecrets(secrets.reduce((left, secret) => left.replaceAll(secret, HIDDEN), text))
}

function secretsOf(transport: TransportConfig): readonly string[] {
  return [...ownSecretsOf(transport), ...(transport.confided ?? []).flatMap(inAnySpelling)]
}

/** Returns the secret as a server would write it within a JSON string. */
function inJson(secret: string): string {
  return JSON.stringify(secret).slice(1, -1)
}

/** Returns the forms in which a server might quote a value: unchanged, one line of it, or URL-encoded. */
function inAnySpelling(value: string): readonly string[] {
  return [value, ...value.split(/\r?\n/), encodeURIComponent(value.toWellFormed())]
}

function ownSecretsOf(transport: TransportConfig): readonly string[] {
  if (transport.kind === 'stdio') {
    const { command, args, env } = transport
    return [...Object.values(env), ...inWords(command.split(' ')), ...inWords(args)]
  }
  const headers = Object.values(transport.headers).flatMap(value => [value, ...value.split(' ')])
  const address = transport.url === undefined ? [] : inAddress(new URL(transport.url))
  return [...headers.map(String), ...(transport.kind === 'openapi' ? inAuth(transport.auth) : []), ...address]
}

function inAuth(auth: Extract<TransportConfig, { kind: 'openapi' }>['auth']): readonly string[] {
  if (auth?.kind === 'clientCredentials') return [auth.clientSecret]
  return auth?.kind === 'header' ? [auth.value, ...auth.value.split(' ')] : []
}

/** Returns the secrets in a URL, both as sent and decoded, because servers quote either form. */
function inAddress({ search, searchParams, username, password, pathname }: URL): readonly string[] {
  const asSent = [...search.split(/[?&]/).map(valueIn), username, password]
  const inPath = pathname.split('/').filter(looksLikeKey)
  return [...searchParams.values(), ...[...asSent, ...inPath].flatMap(sent => [sent, decode(sent)])]
}

function valueIn(member: string): string {
  return member.slice(member.indexOf('=') + 1)
}

function decode(sent: string): string {
  try {
    return decodeURIComponent(sent)
  } catch {
    return sent
  }
}

/** Returns the secrets in command-line arguments. File paths are not secrets. */
function inWords(words: readonly string[]): readonly string[] {
  return findSecretArguments(words).filter(word => !/^[.~]{0,2}\//.test(word))
}
