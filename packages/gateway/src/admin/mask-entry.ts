import { maskSecrets } from '../detect/mask-secrets.ts'
import { namesSecret } from '../detect/names-secret.ts'
import { isJsonObject } from '../protocol/messages.ts'

/** Stands for a value that is there and is nobody's business. */
const MASK = '••••••'

/** Where secrets are, whatever they look like. */
const SECRET = new Set(['env', 'headers'])
/** Where something is to be had, not the thing: `oauth.tokenUrl`. */
const PLACE = /(?:url|uri|endpoint|method)$/i
/** It only says where the secret is. */
const REFERENCE = /^(?:[\w -]*)\$\{(?:env|file):[^}]+\}$/

/** One server of the config as people may see it. */
export function maskEntry(value: unknown, path: readonly string[] = []): unknown {
  if (typeof value === 'string') return maskText(value, path)
  if (Array.isArray(value)) return value.map(part => maskEntry(part, path))
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, maskEntry(part, [...path, key])]),
  )
}

function maskText(text: string, path: readonly string[]): string {
  if (REFERENCE.test(text)) return text
  const isSecret = path.length > 1 && (SECRET.has(path[0] ?? '') || isSecretName(path.at(-1) ?? ''))
  if (isSecret) return MASK
  return maskSecrets(maskAddress(text))
}

function isSecretName(name: string): boolean {
  return namesSecret(name) && !PLACE.test(name)
}

/** `https://user:password@host/path?key=value` keeps its host and its path. */
function maskAddress(text: string): string {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return text
  const url = new URL(text)
  if (url.username === '' && url.password === '' && url.search === '') return text
  const who = url.username === '' && url.password === '' ? '' : `${MASK}@`
  return `${url.protocol}//${who}${url.host}${url.pathname}${url.search === '' ? '' : `?${MASK}`}`
}

/**
 * What somebody sends back as they saw it stays as it is: they changed something else. Where the server itself is
 * another one now, its secrets are not: they were for the one before.
 */
export function unmaskEntry(sent: unknown, current: unknown): unknown {
  return isSamePlace(sent, current) ? unmask(sent, current, []) : sent
}

function isSamePlace(sent: unknown, current: unknown): boolean {
  if (!isJsonObject(sent) || !isJsonObject(current)) return true
  const isSame = (key: string): boolean =>
    JSON.stringify(unmask(sent[key], current[key], [key])) === JSON.stringify(current[key])
  return ['command', 'url', 'serverUrl', 'httpUrl'].every(isSame)
}

function unmask(sent: unknown, current: unknown, path: readonly string[]): unknown {
  if (typeof sent === 'string')
    return typeof current === 'string' && sent === maskText(current, path) ? current : sent
  if (Array.isArray(sent)) {
    const before: readonly unknown[] = Array.isArray(current) ? current : []
    return sent.map((part, at) => unmask(part, before[at], path))
  }
  if (!isJsonObject(sent)) return sent
  const before = isJsonObject(current) ? current : {}
  return Object.fromEntries(
    Object.entries(sent).map(([key, part]) => [
      key,
      unmask(part, Object.hasOwn(before, key) ? before[key] : undefined, [...path, key]),
    ]),
  )
}

/** Somebody sent a mask for a value that is not there. */
export function holdsMask(value: unknown): boolean {
  return JSON.stringify(value ?? null).includes(MASK)
}
