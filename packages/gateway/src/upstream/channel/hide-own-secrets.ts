import type { TransportConfig } from '../../config/config.ts'
import { maskSecrets } from '../../detect/secrets/mask-secrets.ts'
import { findSecretArguments } from '../../detect/secrets/mask-words.ts'
import { looksLikeKey } from '../../detect/text/looks.ts'

const HIDDEN = '[masked]'
/** Shorter values are words, ports and switches. */
const SHORT = 6

/** Removes the config's secrets from what a failing server writes, because agents and logs show that text. */
export function hideOwnSecrets(transport: TransportConfig): (text: string) => string {
  const own = secretsOf(transport)
    .filter(secret => secret.length >= SHORT)
    .flatMap(secret => [secret, inJson(secret)])
  // The longest first: one secret may contain another.
  const secrets = [...new Set(own)].toSorted((a, b) => b.length - a.length)
  return text => maskSecrets(secrets.reduce((left, secret) => left.replaceAll(secret, HIDDEN), text))
}

function secretsOf(transport: TransportConfig): readonly string[] {
  return [...ownSecretsOf(transport), ...(transport.confided ?? []).flatMap(inAnySpelling)]
}

/** Servers quote what they receive, in JSON. */
function inJson(secret: string): string {
  return JSON.stringify(secret).slice(1, -1)
}

/** A server may quote one line of a file, or a value in the encoding of an address. */
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

/** Servers quote an address as they receive it, or as they decode it. */
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

/** What the masked arguments hide, except for paths, which are not secret. */
function inWords(words: readonly string[]): readonly string[] {
  return findSecretArguments(words).filter(word => !/^[.~]{0,2}\//.test(word))
}
