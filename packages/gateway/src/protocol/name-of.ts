import { foldKey } from './field-path.ts'
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
