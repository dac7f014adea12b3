import { isJsonObject, type Json } from '../../../protocol/messages.ts'
import { writeJson } from '../../../protocol/parse-json.ts'

/** The items of one server in a merged list. */
export interface Section {
  readonly server: string
  readonly items: readonly Json[]
}

export interface ListPage {
  readonly sections: readonly Section[]
  /** Set if there are more items. */
  readonly next?: string
}

/** A page ends after this many items, or after this many characters. It has at least one item. */
const MOST_ITEMS = 250
const MOST_LENGTH = 400_000

/**
 * Returns the page at which a cursor points; undefined if the cursor is not from this list. A cursor names a server and
 * a position in its items, so a change at one server does not move the others.
 */
export function pageItems(sections: readonly Section[], cursor: unknown): ListPage | undefined {
  const from = readCursor(sections, cursor)
  if (from === undefined) return undefined
  const page: Section[] = []
  let [count, length] = [0, 0]
  for (const [place, { server, items }] of sections.entries()) {
    if (place < from.place) continue
    const start = place === from.place ? from.at : 0
    for (let at = start; at < items.length; at += 1) {
      const size = writeJson(items[at]).length
      if (count > 0 && (count >= MOST_ITEMS || length + size > MOST_LENGTH)) {
        if (at > start) page.push({ server, items: items.slice(start, at) })
        return { sections: page, next: writeCursor(server, at) }
      }
      count += 1
      length += size
    }
    if (start < items.length) page.push({ server, items: items.slice(start) })
  }
  return { sections: page }
}

function writeCursor(server: string, at: number): string {
  return Buffer.from(JSON.stringify({ server, at })).toString('base64url')
}

const LONGEST_CURSOR = 256

function readCursor(
  sections: readonly Section[],
  cursor: unknown,
): { place: number; at: number } | undefined {
  if (cursor === undefined) return { place: 0, at: 0 }
  if (typeof cursor !== 'string' || cursor.length > LONGEST_CURSOR) return undefined
  const { server, at } = parse(Buffer.from(cursor, 'base64url').toString())
  const place = sections.findIndex(section => section.server === server)
  return place < 0 || !Number.isSafeInteger(at) || Number(at) < 0 ? undefined : { place, at: Number(at) }
}

function parse(text: string): Json {
  try {
    const value: unknown = JSON.parse(text)
    return isJsonObject(value) ? value : {}
  } catch {
    return {}
  }
}
