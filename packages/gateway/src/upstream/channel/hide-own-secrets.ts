import type { TransportConfig } from '../../config/config.ts'
import { maskSecrets } from '../../detect/secrets/mask-secrets.ts'
import { findSecretArguments } from '../../detect/secrets/mask-words.ts'
import { looksLikeKey } from '../../detect/text/looks.ts'

const HIDDEN = '[masked]'
/** Minimum length of a value that counts as secret. Shorter ones are usually words, ports and switches. */
const SHORT = 6

/**
 * Removes the secrets in a server's config from what the failing server writes, because agents and logs show that text.
 */
export function hideOwnSecrets(transport: TransportConfig): (text: string) => string {
  const own = secretsOf(transport)
    .filter(secret => secret.length >= SHORT)
    .flatMap(secret => [secret, inJson(secret)])
  // The longest secret comes first, because one secret may contain another.
  const secrets = [...new Set(own)].toSorted((a, b) => b.length - a.length)
  return text => maskSecrets(secrets.reduce((left, secret) => left.replaceAll(secret, HIDDEN), text))
}

function secretsOf(transport: TransportConfig): readonly string[] {
  return [...ownSecretsOf(transport), ...(transport.confided ?? []).flatMap(inAnySpelling)]
}

/** The secret as a server would quote it in JSON. */
function inJson(secret: string): string {
  return JSON.stringify(secret).slice(1, -1)
}

/** The forms in which a server may quote a value: as it is, one of its lines, or encoded for a URL. */
function inAnySpelling(value: string): readonly string[] {
  return [value, ...value.split(/\r?\n/), encodeURIComponent(value.toWellFormed())]
}

function ownSecretsOf(transport: TransportConfig): readonly string[] {
  if (transport.kind === 'stdio') {
    const { command, args, env } = transport
    return [...Object.values(env), ...inWords(command.split(' ')), ...inWords(args)]
  }
  const headers = Object.values(transport.headers).flatMap(value => [value, ...value.split(' ')])
  return [...headers.map(String), ...inAddress(new URL(transport.url))]
}

/** The secrets in a URL, as sent and as decoded, because servers quote either form. */
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

/** The secrets in command-line arguments. Paths are not secret. */
function inWords(words: readonly string[]): readonly string[] {
  return findSecretArguments(words).filter(word => !/^[.~]{0,2}\//.test(word))
}
