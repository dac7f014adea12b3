import type { Json, Message } from './raw-mcp.ts'
import { type Client, dataOf } from './search-client.ts'

export interface Page {
  readonly part: string
  readonly unit: 'chars' | 'items' | 'members' | 'block'
  readonly total: number
  readonly offset: number
  readonly text?: string
  readonly items?: readonly unknown[]
  readonly members?: Json
  readonly next?: string
}

export interface Reading {
  readonly pages: readonly Page[]
  /** Combines all pages like a program that knows nothing but the pages. */
  readonly whole: unknown
}

const MAX_PAGES = 1000

/** Reads a stored result page by page, from the start or from a cursor, by following `next`. */
export async function readPages(client: Client, handle: string, more: Json = {}): Promise<Message[]> {
  const messages: Message[] = []
  let args: Json = { handle, ...more }
  for (;;) {
    const message = await client.call('read_result', args)
    messages.push(message)
    const { next } = dataOf<Page>(message)
    if (next === undefined) return messages
    if (messages.length > MAX_PAGES) throw new Error('there is no end of pages')
    args = { ...args, cursor: next }
  }
}

/** Reads a whole result and combines its pages. */
export async function readWhole(client: Client, handle: string): Promise<Reading> {
  const messages = await readPages(client, handle)
  const parts = new Map<string, unknown>()
  for (const message of messages) {
    // A copy, because parts are inserted below and the pages must not change.
    const page = structuredClone(dataOf<Page>(message))
    parts.set(page.part, join(parts.get(page.part), page, message))
  }
  return { pages: messages.map(message => dataOf<Page>(message)), whole: assemble(parts) }
}

function join(before: unknown, page: Page, { result = {} }: Message): unknown {
  if (page.unit === 'chars') return `${(before as string | undefined) ?? ''}${page.text}`
  if (page.unit === 'items') return [...((before as unknown[] | undefined) ?? []), ...(page.items ?? [])]
  if (page.unit === 'members') return { ...(before as Json | undefined), ...page.members }
  return (result.content as unknown[])[0]
}

/** A part is named by its place, and comes after the part that it was cut from. */
function assemble(parts: ReadonlyMap<string, unknown>): unknown {
  const root = { value: undefined as unknown }
  for (const [part, value] of parts) {
    const keys = part
      .split('/')
      .slice(1)
      .map(key => key.replaceAll('~1', '/').replaceAll('~0', '~'))
    const path = ['value', ...keys]
    let at: Record<string, unknown> = root
    for (const key of path.slice(0, -1)) at = at[key] as Record<string, unknown>
    at[path.at(-1) ?? ''] = value
  }
  return root.value
}
