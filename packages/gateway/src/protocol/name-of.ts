import { foldKey } from './field-path.ts'
import { isJsonObject, type Json } from './messages.ts'
import { META } from './modern.ts'

/** A fast path for names that occur often. */
const USUAL: ReadonlyMap<string, string> = new Map(
  [
    ...[
      '',
      'content',
      'type',
      'text',
      'data',
      'mimeType',
      'uri',
      'resource',
      'annotations',
      '_meta',
      META.serverInfo,
    ],
    ...['structuredContent', 'isError', 'resultType', 'inputRequests', 'requestState'],
  ].map(name => [name, name.toLowerCase()]),
)
const IS_SMALL = /^[ -@[-~]*$/
const IS_SEEN = /^[ -~]*$/
/**
 * The characters to remove: everything outside ASCII except `ſ` and the Kelvin sign, which count as the letters s and
 * k.
 */
const UNSEEN_IN_NAMES = /[^ -~\u017F\u212A]/g

/**
 * Normalises a name. Characters outside ASCII are removed, because later code can strip invisible ones. Case is
 * ignored, because some clients read `_Meta` as `_meta`.
 * @example
 * nameOf('Bl\u200Bob') // => 'blob'
 */
export function nameOf(key: string): string {
  const usual = USUAL.get(key)
  if (usual !== undefined) return usual
  if (IS_SMALL.test(key)) return key
  return foldKey(IS_SEEN.test(key) ? key : key.replaceAll(UNSEEN_IN_NAMES, ''))
}

/** Names with this prefix are reserved for the gateway. */
const RESERVED = 'io.hintgate/'
/** Reserved names that servers are nevertheless allowed to use. The toolkit sets them. */
const SERVER_NAMES: ReadonlySet<string> = new Set([`${RESERVED}effects`, `${RESERVED}mediatype`])
/** Names under which authors declare metadata of their tools. */
const AUTHOR_NAMES: ReadonlySet<string> = new Set([
  `${RESERVED}metadata`,
  `${RESERVED}hints`,
  `${RESERVED}preview`,
])

function isReserved(key: string, exceptions: ReadonlySet<string>): boolean {
  const name = nameOf(key)
  return name.startsWith(RESERVED) && !exceptions.has(name)
}

/** Removes reserved names. Returns the same object if there are none, which is the usual case. */
export function withoutReserved(value: Json): Json
export function withoutReserved(value: unknown): unknown
export function withoutReserved(value: unknown): unknown {
  return dropReserved(value, SERVER_NAMES)
}

/**
 * Returns a definition without the reserved names that authors are not allowed to set, such as the gateway's own
 * remarks.
 */
export function definedByAuthor(definition: Json): Json {
  const remarks = Object.keys(definition).filter(key => nameOf(key) === '_meta')
  const own = remarks.map(key => [key, dropReserved(definition[key], AUTHOR_NAMES)] as const)
  return { ...definition, ...Object.fromEntries(own) }
}

function dropReserved(value: unknown, exceptions: ReadonlySet<string>): unknown {
  if (!isJsonObject(value) || !Object.keys(value).some(key => isReserved(key, exceptions))) return value
  return Object.fromEntries(Object.entries(value).filter(([key]) => !isReserved(key, exceptions)))
}

export function onlyReserved(value: unknown): Json {
  return isJsonObject(value)
    ? Object.fromEntries(Object.entries(value).filter(([key]) => isReserved(key, SERVER_NAMES)))
    : {}
}
