import { endOfFitting } from './cut-text.ts'
import { measureJson } from './measure-json.ts'
import type { Block } from './sort-block.ts'

export interface ShownBlocks {
  /** By their place in `content`. */
  readonly blocks: ReadonlyMap<number, unknown>
  /** How many blocks from the first on are shown, but for those that are only of use whole. */
  readonly count: number
  /** part → units from its beginning */
  readonly shown: ReadonlyMap<string, number>
  /** How many characters are left. */
  readonly room: number
}

/** So many characters of a text are shown at least: clients do not like empty blocks. */
const LEAST = 40

/** Short blocks and the beginning of every text; what room there is then goes to the texts, first come first served. */
export function showTexts(blocks: readonly Block[], room: number): ShownBlocks {
  const shortest = showShortest(blocks, room)
  const shown = new Map(shortest.blocks)
  const ends = new Map<string, number>()
  let left = shortest.room
  for (const [index, block] of blocks.slice(0, shortest.count).entries()) {
    if (block.kind !== 'text') continue
    const { text, part } = block.piece
    const least = endOfFitting(text, 0, LEAST)
    const end = endOfFitting(text, least, left)
    left -= JSON.stringify(text.slice(least, end)).length - 2
    ends.set(part, end)
    shown.set(index, block.withText(text.slice(0, end)))
  }
  return { blocks: shown, count: shortest.count, shown: ends, room: left }
}

function showShortest(blocks: readonly Block[], room: number): Omit<ShownBlocks, 'shown'> {
  const shown = new Map<number, unknown>()
  let left = room
  for (const [index, block] of blocks.entries()) {
    if (block.kind === 'whole') continue
    const value = block.kind === 'short' ? block.block : block.withText(beginningOf(block.piece.text))
    const chars = measureJson(value, left) + 1
    if (chars > left) return { blocks: shown, count: index, room: left }
    left -= chars
    shown.set(index, value)
  }
  return { blocks: shown, count: blocks.length, room: left }
}

function beginningOf(text: string): string {
  return text.slice(0, endOfFitting(text, 0, LEAST))
}

/** Adds images and the like, where they fit. */
export function showWholes(blocks: readonly Block[], before: ShownBlocks): ShownBlocks {
  const shown = new Map(before.blocks)
  const counts = new Map(before.shown)
  let left = before.room
  for (const [index, block] of blocks.entries()) {
    if (block.kind !== 'whole') continue
    const chars = measureJson(block.piece.block, left) + 1
    if (chars > left) continue
    left -= chars
    shown.set(index, block.piece.block)
    counts.set(block.piece.part, 1)
  }
  return { blocks: shown, count: before.count, shown: counts, room: left }
}
