import type { TransportConfig } from '../../config/config.ts'
import { maskSecrets } from '../../detect/secrets/mask-secrets.ts'
import { findSecretArguments } from '../../detect/secrets/mask-words.ts'
import { looksLikeKey } from '../../detect/text/looks.ts'

/** What stands in place of a secret. */
const HIDDEN = '[masked]'
/** Shorter values are words, ports and switches. */
const SHORT = 6

/**
 * Takes out of what a server says of itself when it fails whatever the config gave it in confidence: it goes into errors
 * that agents read, and into logs.
 */
export function hideOwnSecrets(transport: TransportConfig): (text: string) => string {
  const own = secretsOf(transport)
    .filter(secret => secret.length >= SHORT)
    .flatMap(secret => [secret, inJson(secret)])
  // The longest first: one may stand in another.
  const secrets = [...new Set(own)].toSorted((a, b) => b.length - a.length)
  return text => maskSecrets(secrets.reduce((left, secret) => left.replaceAll(secret, HIDDEN), text))
}

function secretsOf(transport: TransportConfig): readonly string[] {
  return [...ownSecretsOf(transport), ...(transport.confided ?? []).flatMap(inAnySpelling)]
}

/** Servers quote what they were sent. */
function inJson(secret: string): string {
  return JSON.stringify(secret).slice(1, -1)
}

/** Of a file with many lines each may be told alone; in an address it stands as it was sent. */
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

/** Servers tell of an address as it was sent, and of what they read in it. */
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

/** What the masked arguments do not show; but for places, which say where something is. */
function inWords(words: readonly string[]): readonly string[] {
  return findSecretArguments(words).filter(word => !/^[.~]{0,2}\//.test(word))
}
