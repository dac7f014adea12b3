import { isJsonObject, type Json } from '../protocol/messages.ts'

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
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return mapList(value, change)
  return isJsonObject(value) ? mapObject(value, change) : value
}

function mapObject(object: Json, change: Change): Json {
  let isChanged = false
  const entries = Object.entries(object).map(([key, part]) => {
    const mapped = mapMember(object, key, change)
    const name = change(key)
    isChanged ||= mapped !== part || name !== key
    return [name, mapped] as const
  })
  return isChanged ? Object.fromEntries(entries) : object
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
  const mapped = list.map(part => mapDeep(part, change))
  return mapped.every((part, at) => part === list[at]) ? list : mapped
}
