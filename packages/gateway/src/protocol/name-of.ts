import { foldKey } from './field-path.ts'
import { isJsonObject, type Json } from './messages.ts'
import { META } from './modern.ts'

/** Nearly every name that is looked at. */
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
/** All that nobody sees, but for the two letters that small ones of ASCII have for a capital. */
const UNSEEN_IN_NAMES = /[^ -~\u017F\u212A]/g

/**
 * A name as it may be read, however a server spells it: without what nobody sees, which may be stripped later, and in small
 * letters, since some clients take `_Meta` for `_meta`.
 *
 * @example
 * nameOf('Bl\u200Bob') // => 'blob'
 */
export function nameOf(key: string): string {
  const usual = USUAL.get(key)
  if (usual !== undefined) return usual
  if (IS_SMALL.test(key)) return key
  return foldKey(IS_SEEN.test(key) ? key : key.replaceAll(UNSEEN_IN_NAMES, ''))
}

/** Everything under this name is ours to say. */
const OURS = 'io.hintgate/'
/** But for what servers say that are made with our toolkit. */
const THEIRS: ReadonlySet<string> = new Set([`${OURS}effects`, `${OURS}mediatype`])
/** And what authors say of their tools in our vocabulary. */
const AUTHORS: ReadonlySet<string> = new Set([`${OURS}metadata`, `${OURS}hints`, `${OURS}preview`])

function isOurs(key: string, theirs: ReadonlySet<string>): boolean {
  const name = nameOf(key)
  return name.startsWith(OURS) && !theirs.has(name)
}

/** The same object where nothing in it is ours, as nearly always. */
export function withoutOurs(said: Json): Json
export function withoutOurs(said: unknown): unknown
export function withoutOurs(said: unknown): unknown {
  return keepTheirs(said, THEIRS)
}

/** A definition without what its author cannot have to say of it, such as how we would treat it. */
export function definedByAuthor(definition: Json): Json {
  const remarks = Object.keys(definition).filter(key => nameOf(key) === '_meta')
  const own = remarks.map(key => [key, keepTheirs(definition[key], AUTHORS)] as const)
  return { ...definition, ...Object.fromEntries(own) }
}

function keepTheirs(said: unknown, theirs: ReadonlySet<string>): unknown {
  if (!isJsonObject(said) || !Object.keys(said).some(key => isOurs(key, theirs))) return said
  return Object.fromEntries(Object.entries(said).filter(([key]) => !isOurs(key, theirs)))
}

export function onlyOurs(said: unknown): Json {
  return isJsonObject(said)
    ? Object.fromEntries(Object.entries(said).filter(([key]) => isOurs(key, THEIRS)))
    : {}
}
