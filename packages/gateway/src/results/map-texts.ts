import { isJsonObject, type Json } from '../protocol/messages.ts'
import { isText } from '../protocol/parse-json.ts'

type Change = (text: string) => string

/** Pictures and sounds are no texts, however they are written. */
const MEDIA = new Set(['image', 'audio'])
const TEXT_TYPE = /^(?:text\/|application\/(?:json|xml|yaml|javascript|x-ndjson)|[^;]*\+(?:json|xml)\b)/i

/**
 * Shows every text of what a server said, wherever it stands and whatever it is called, and puts in its place what comes
 * back: a model or a person may get to read any of it. Texts that travel as bytes are shown, too; pictures and sounds are
 * not. The same object where nothing changes.
 */
export function mapTexts<T>(value: T, change: Change): T {
  return mapDeep(value, change) as T
}

function mapDeep(value: unknown, change: Change): unknown {
  if (isText(value)) return change(value)
  if (Array.isArray(value)) return mapList(value, change)
  return isJsonObject(value) ? mapObject(value, change) : value
}

/** Mostly nothing changes, and then nothing is made. */
function mapObject(object: Json, change: Change): Json {
  const keys = Object.keys(object)
  let entries: (readonly [string, unknown])[] | undefined
  for (let at = 0; at < keys.length; at += 1) {
    const key = keys[at] ?? ''
    const mapped = mapMember(object, key, change)
    const name = change(key)
    if (entries === undefined && (mapped !== object[key] || name !== key))
      entries = keys.slice(0, at).map(before => [before, object[before]] as const)
    entries?.push([name, mapped])
  }
  return entries === undefined ? object : Object.fromEntries(entries)
}

function mapMember(object: Json, key: string, change: Change): unknown {
  const part = object[key]
  if (key === 'data' && MEDIA.has(String(object.type))) return part
  if (key === 'blob' && typeof part === 'string') return mapBlob(part, object.mimeType, change)
  return mapDeep(part, change)
}

function mapBlob(blob: string, mimeType: unknown, change: Change): string {
  if (typeof mimeType !== 'string' || !TEXT_TYPE.test(mimeType)) return blob
  const text = Buffer.from(blob, 'base64').toString('utf8')
  const changed = change(text)
  return changed === text ? blob : Buffer.from(changed, 'utf8').toString('base64')
}

function mapList(list: readonly unknown[], change: Change): readonly unknown[] {
  let mapped: unknown[] | undefined
  for (let at = 0; at < list.length; at += 1) {
    const part = mapDeep(list[at], change)
    if (part !== list[at]) mapped ??= list.slice(0, at)
    mapped?.push(part)
  }
  return mapped ?? list
}
