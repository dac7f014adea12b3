import { isJsonObject, type Json } from '../../protocol/messages.ts'
import { onlyOurs } from '../../protocol/our-members.ts'
import { CONTENT, type Layout } from './lay-out.ts'
import { measureJson } from './measure-json.ts'
import { totalOf } from './piece.ts'
import { type ShownBlocks, showTexts, showWholes } from './show-blocks.ts'

export interface ShowOptions {
  /** How many characters there are for the members of the result. */
  readonly room: number
  /**
   * `whole`: whoever called checks `structuredContent` against the schema that the tool declares, so it passes as it
   * is, whatever its length. `omit`: it may be left out. It is never cut: a program could not tell.
   */
  readonly structured: 'whole' | 'omit'
}

/** What the first part shows of a result, and how much of each part that is. */
export interface Shown {
  readonly members: ReadonlyMap<string, unknown>
  readonly blocks: ShownBlocks['blocks']
  /** part → units from its beginning */
  readonly shown: ReadonlyMap<string, number>
  readonly room: number
}

/** The member of `_meta` in which the first part says that it is one. */
export const META_KEY = 'io.hintgate/result'

/** Chooses what of a result to show first: what is short, then the beginning of the texts, then what still fits. */
export function showFirst(layout: Layout, { room, structured }: ShowOptions): Shown {
  const { short, long, blocks = [], pieces } = layout
  const members = new Map<string, unknown>()
  const mustShow = (key: string) =>
    key === 'isError' || (key === 'structuredContent' && structured === 'whole')
  const remarks = remarksIn(layout)
  let left = room - (remarks === undefined ? 0 : measureJson(['_meta', remarks], room))
  const take = (key: string, value: unknown): boolean => {
    const chars = measureJson([key, value], left)
    if (chars <= left && isValid(key, value)) left -= chars
    else if (!mustShow(key)) return false
    members.set(key, value)
    return true
  }

  const missing = short.filter(([key, value]) => !take(key, value))
  const texts = showTexts(blocks, left)
  left = texts.room
  const added = long.filter(({ key, value }) => take(key, value))
  const all = showWholes(blocks, { ...texts, room: left })

  // The server's part of `_meta` waits on its page.
  if (remarks !== undefined && !members.has('_meta')) members.set('_meta', remarks)
  const isContentApart = pieces[1]?.part === CONTENT
  const hasOutline = missing.length === 0 && (isContentApart || all.count === blocks.length)
  const whole = [...added.flatMap(member => member.pieces), ...(hasOutline ? pieces.slice(0, 1) : [])]
  const shown = new Map([
    ...all.shown,
    [CONTENT, all.count] as const,
    ...whole.map(piece => [piece.part, totalOf(piece)] as const),
  ])
  return { members, blocks: all.blocks, shown, room: all.room }
}

/** What we say of the result, such as what was found in it: that is not left out, however much a server says beside it. */
function remarksIn({ short, long }: Layout): Json | undefined {
  const meta = short.find(([key]) => key === '_meta')?.[1] ?? long.find(({ key }) => key === '_meta')?.value
  const { [META_KEY]: _, ...remarks } = onlyOurs(meta)
  return Object.keys(remarks).length === 0 ? undefined : remarks
}

/** The first part has a note in `content` and in `_meta`; what is in their way waits on its page. */
function isValid(key: string, value: unknown): boolean {
  if (key === 'content') return false
  return key !== '_meta' || (isJsonObject(value) && !(META_KEY in value))
}
