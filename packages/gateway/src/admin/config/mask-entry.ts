import { serverSchema } from '../../config/schema/server-schema.ts'
import { maskSecrets } from '../../detect/secrets/mask-secrets.ts'
import { MASK, maskAddress, maskArguments, maskCommand, maskUrl } from '../../detect/secrets/mask-words.ts'
import { namesSecret } from '../../detect/text/looks.ts'
import { isJsonObject, type Json } from '../../protocol/messages.ts'

/** Sections in which every value is masked, because any of them can be a secret. */
const SECRET = new Set(['env', 'headers'])
/** Keys whose values are URLs. They are masked as URLs even if they are malformed. */
const ADDRESS = new Set(['url', 'serverUrl', 'httpUrl'])
/** Matches keys whose names suggest a secret but whose values are not secret, such as `oauth.tokenUrl`. */
const PLACE = /(?:url|uri|endpoint|method)$/i
/** Matches a reference to a secret, such as `${env:TOKEN}`. The reference itself is not secret, so it is shown. */
const REFERENCE = /^(?:(?:bearer|basic|token|apikey|bot) +)?\$\{(?:env|file):[^}]+\}$/i

/** Masks the secrets in a server's entry for display. Values that are invalid in the config are masked as well. */
export function maskEntry(entry: unknown): unknown {
  if (!isJsonObject(entry)) return maskPart(entry, [])
  const strange = findStrange(entry)
  return Object.fromEntries(
    Object.entries(entry).map(([key, part]) => [
      key,
      strange.has(key) ? maskAll(part) : maskPart(part, [key]),
    ]),
  )
}

function findStrange(entry: Json): ReadonlySet<unknown> {
  const { issues = [] } = serverSchema.safeParse(entry).error ?? {}
  return new Set(
    issues
      .filter(({ path }) => !isKnownText(valueAt(entry, path), path))
      .flatMap(issue =>
        issue.code === 'unrecognized_keys' ? [issue.path[0], ...issue.keys] : [issue.path[0]],
      ),
  )
}

/**
 * True for a URL, which is masked as a URL, and for a reference, whose value is not known yet. Neither counts as
 * invalid.
 */
function isKnownText(value: unknown, path: readonly PropertyKey[]): boolean {
  return typeof value === 'string' && (isAddress(path) || REFERENCE.test(value))
}

function isAddress(path: readonly PropertyKey[]): boolean {
  return path.length === 1 && ADDRESS.has(String(path[0]))
}

function valueAt(whole: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (part, key) => (typeof part === 'object' && part !== null ? Reflect.get(part, key) : undefined),
    whole,
  )
}

function maskAll(value: unknown): unknown {
  if (typeof value === 'string' && REFERENCE.test(value)) return value
  if (Array.isArray(value)) return value.map(maskAll)
  if (isJsonObject(value))
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, maskAll(part)]))
  return value === null || typeof value === 'boolean' ? value : MASK
}

function maskPart(value: unknown, path: readonly string[]): unknown {
  if (typeof value === 'string') return maskText(value, path)
  if (Array.isArray(value)) return maskList(value, path)
  if (!isJsonObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, maskPart(part, [...path, key])]))
}

function maskText(text: string, path: readonly string[]): string {
  if (REFERENCE.test(text)) return text
  const isSecret = path.length > 1 && (SECRET.has(path[0] ?? '') || isSecretName(path.at(-1) ?? ''))
  if (isSecret) return MASK
  if (path.length === 1 && path[0] === 'command') return maskCommand(text)
  if (isAddress(path)) return maskSecrets(maskUrl(text))
  return maskSecrets(maskAddress(text))
}

function maskList(list: readonly unknown[], path: readonly string[]): readonly unknown[] {
  const isArguments = path.length === 1 && path[0] === 'args'
  return isArguments ? maskArguments(list.map(String)) : list.map(part => maskPart(part, path))
}

function isSecretName(name: string): boolean {
  return namesSecret(name) && !PLACE.test(name)
}

/**
 * Returns a server's command or URL for display. Takes the entry as written, because the loaded one contains secrets.
 */
export function showWay(entry: Json): string | undefined {
  const masked = maskEntry(entry)
  const { command, args, url, serverUrl, httpUrl } = isJsonObject(masked) ? masked : {}
  if (typeof command === 'string')
    return [command, ...(Array.isArray(args) ? args.map(String) : [])].join(' ')
  return [url, serverUrl, httpUrl].find(address => typeof address === 'string')
}

/**
 * Restores masked values that an edit sends back unchanged. If the edit points to another server, the previous server's
 * secrets are not restored.
 */
export function unmaskEntry(sent: unknown, current: unknown): unknown {
  const known = { current, shown: maskEntry(current) }
  return isSamePlace(sent, known) ? unmask(sent, known) : sent
}

interface Known {
  readonly current: unknown
  readonly shown: unknown
}

/**
 * Parts of an entry that can determine which program runs or where data is sent. Any argument can do so, as in `npx -y
 * NAME`.
 */
const PLACES = [
  ['command'],
  ['args'],
  ['cwd'],
  ['url'],
  ['serverUrl'],
  ['httpUrl'],
  ['oauth', 'issuer'],
] as const

function isSamePlace(sent: unknown, known: Known): boolean {
  if (!isJsonObject(sent) || !isJsonObject(known.current)) return true
  const isSame = (path: readonly string[]): boolean => {
    const before = path.reduce<Known>(memberOf, known)
    const now = path.reduce<Known>(memberOf, { current: sent, shown: sent }).current
    return JSON.stringify(unmask(now, before)) === JSON.stringify(before.current)
  }
  return [...PLACES, ...namedPlaces(sent), ...namedPlaces(known.current)].every(isSame)
}

/** Matches names of values that determine where a secret is sent. An edit can replace a secret, but not redirect it. */
const WHERE =
  /(?:^|[_-])(?:url|uri|host|proxy|endpoint|server|domain|base|addr|address|path|file|dir)(?:$|[_-])/i

/**
 * Finds variables and headers that can change where other values are sent, such as `HTTPS_PROXY`, `API_BASE`, `PATH`,
 * `Host`.
 */
function namedPlaces(entry: Json): readonly (readonly string[])[] {
  return [...SECRET].flatMap(section => {
    const { [section]: members } = entry
    const names = isJsonObject(members) ? Object.keys(members) : []
    return names.filter(name => !namesSecret(name) || WHERE.test(name)).map(name => [section, name])
  })
}

function unmask(sent: unknown, known: Known): unknown {
  if (Array.isArray(sent)) return sent.map((part, at) => unmask(part, memberOf(known, at)))
  if (!isJsonObject(sent)) return sent === known.shown ? known.current : sent
  return Object.fromEntries(
    Object.entries(sent).map(([key, part]) => [key, unmask(part, memberOf(known, key))]),
  )
}

function memberOf({ current, shown }: Known, key: string | number): Known {
  const at = (whole: unknown): unknown => {
    if (Array.isArray(whole)) return typeof key === 'number' ? whole[key] : undefined
    return isJsonObject(whole) && Object.hasOwn(whole, key) ? whole[key] : undefined
  }
  return { current: at(current), shown: at(shown) }
}

/** True if a value still contains a mask, because there was no original value to restore. */
export function holdsMask(value: unknown): boolean {
  const text = JSON.stringify(value ?? null)
  return text.includes(MASK) || /\[redacted:[\w-]+\]/.test(text)
}
