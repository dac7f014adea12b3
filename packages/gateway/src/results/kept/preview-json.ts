import { isJsonObject } from '../../protocol/messages.ts'
import { isText } from '../../protocol/parse-json.ts'
import { endOfFitting } from './cut-text.ts'
import { measureJson } from './measure-json.ts'

/**
 * The beginning of a value in so many characters, still JSON: arrays have fewer items, texts fewer characters.
 * `previewJson({ total: 3, rows: [1, 2, 3] }, 25)` is `{ total: 3, rows: [1, 2] }`. Undefined if there is no room
 * even for the frame.
 */
export function previewJson(value: unknown, room: number): unknown {
  if (measureJson(value, room) <= room) return value
  if (room < FRAME) return undefined
  if (isText(value)) return value.slice(0, endOfFitting(value, 0, room - FRAME))
  if (Array.isArray(value)) return previewItems(value, room - FRAME)
  return isJsonObject(value) ? previewMembers(value, room - FRAME) : undefined
}

/** Two quotes or brackets. */
const FRAME = 2

function previewItems(items: readonly unknown[], room: number): unknown[] {
  const shown: unknown[] = []
  let left = room
  for (const item of items) {
    const chars = measureJson(item, left)
    if (chars > left) break
    shown.push(item)
    left -= chars + 1
  }
  // Better the beginning of the first than nothing.
  const [first] = items
  const beginning = shown.length === 0 ? previewJson(first, room) : undefined
  return beginning === undefined ? shown : [beginning]
}

/** Short members are shown whole; each long one gets half of the room that is left, and the last one all of it. */
function previewMembers(object: object, room: number): object {
  const members = Object.entries(object)
  const last = members.at(-1)?.[0]
  const shown: [string, unknown][] = []
  let left = room
  for (const [key, value] of members) {
    const rest = left - JSON.stringify(key).length - ':,'.length
    const isShort = measureJson(value, rest) <= rest
    const preview = isShort ? value : previewJson(value, key === last ? rest : rest / 2)
    if (preview === undefined) continue
    shown.push([key, preview])
    left = rest - measureJson(preview, rest)
  }
  return Object.fromEntries(shown)
}
