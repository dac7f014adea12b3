import { isJsonObject, type Json } from '../../protocol/messages.ts'
import { askSearch, type SurfaceClient } from './surface-client.ts'

const META_RESULT = 'io.hintgate/result'
/** Maximum number of pages to read. No result has as many, but a faulty gateway must not cause an endless loop. */
const MAX_PAGES = 100_000

/** Finds the handle of a result that the gateway cut. */
export function handleOf({ _meta }: Json): string | undefined {
  const mark = isJsonObject(_meta) ? _meta[META_RESULT] : undefined
  return isJsonObject(mark) && typeof mark.handle === 'string' ? mark.handle : undefined
}

/** Reads the whole result, given its first part. Undefined if the rest cannot be read. */
export async function readWhole(
  client: SurfaceClient,
  first: Json,
  handle: string,
): Promise<Json | undefined> {
  const result = await readPages(client, handle)
  return result === undefined ? undefined : withFrame(result, first)
}

/** Adds the fields that the gateway writes for modern clients. Only the first part of a result has them. */
function withFrame(result: Json, { resultType, _meta }: Json): Json {
  const { [META_RESULT]: _mark, ...meta } = isJsonObject(_meta) ? _meta : {}
  const own = isJsonObject(result._meta) ? result._meta : {}
  return { ...result, resultType, _meta: { ...meta, ...own } }
}

/**
 * Reads a result page by page and joins the pages. A JSON Pointer in each page names the part of the result that the
 * page contains, and a part comes after the part that it was cut from.
 */
async function readPages(client: SurfaceClient, handle: string): Promise<Json | undefined> {
  const whole: { result: unknown } = { result: undefined }
  let cursor: unknown
  for (let count = 0; count < MAX_PAGES; count++) {
    const args = cursor === undefined ? { handle } : { handle, cursor }
    const answer = await askSearch(client, { name: 'read_result', args })
    const page = answer.kind === 'answered' ? answer.result.structuredContent : undefined
    if (answer.kind !== 'answered' || !isJsonObject(page) || !addPage(whole, page, answer.result))
      return undefined
    cursor = page.next
    if (cursor === undefined) return isJsonObject(whole.result) ? whole.result : undefined
  }
  return undefined
}

/** Adds a page to the result. Returns false if the result has no such part. */
function addPage(whole: { result: unknown }, page: Json, { content }: Json): boolean {
  const keys = String(page.part).split('/').slice(1).map(unescapeKey)
  const last = keys.pop()
  const place = last === undefined ? whole : keys.reduce<unknown>(memberOf, whole.result)
  const key = last ?? 'result'
  if (typeof place !== 'object' || place === null) return false
  const before = page.offset === 0 ? undefined : memberOf(place, key)
  const value = join(before, page, Array.isArray(content) ? content[0] : undefined)
  // Unlike an assignment, this also works for a member named `__proto__`.
  Object.defineProperty(place, key, { value, writable: true, enumerable: true, configurable: true })
  return true
}

function join(before: unknown, page: Json, shown: unknown): unknown {
  const { unit, text, items, members } = page
  if (unit === 'chars') return `${typeof before === 'string' ? before : ''}${String(text)}`
  if (unit === 'members')
    return { ...(isJsonObject(before) ? before : {}), ...(isJsonObject(members) ? members : {}) }
  if (unit === 'items')
    return [...(Array.isArray(before) ? before : []), ...(Array.isArray(items) ? items : [])]
  // If a content item is not a valid content block, the page has it in `block`, in addition to its JSON text.
  return Object.hasOwn(page, 'block') ? page.block : shown
}

function memberOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string, unknown>)[key]
    : undefined
}

function unescapeKey(key: string): string {
  return key.replaceAll('~1', '/').replaceAll('~0', '~')
}
