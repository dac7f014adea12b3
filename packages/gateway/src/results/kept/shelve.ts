import { isJsonObject } from '../../protocol/messages.ts'
import { parseJson, writeJson } from '../../protocol/parse-json.ts'
import { beforePair, endOfFitting, measureJson } from './measure-json.ts'
import { type Cut, costOf, cutOf, type Entries, type Piece, totalOf } from './take-apart.ts'

/** A piece without what is in it: that is in runs, each of them about as long as a page. */
export interface ShelvedPiece extends Cut {
  /** The number of its first run. */
  readonly first: number
  /** The unit that each of its runs begins with. */
  readonly starts: readonly number[]
}

/** What is in which run: all that has to be read of a result, however long, to find a page of it. */
export interface Shelf {
  readonly chars: number
  readonly pieces: readonly ShelvedPiece[]
}

/** Takes pieces apart into runs, so that a page costs what a page is long, and not what the result is. */
export function shelve(pieces: readonly Piece[], chars: number): { shelf: Shelf; runs: readonly string[] } {
  const runs: string[] = []
  const shelved = pieces.map(piece => {
    const first = runs.length
    const starts: number[] = []
    for (let at = 0; at === 0 || at < totalOf(piece); ) {
      const end = endOfRun(piece, at, { chars, limit: Number.POSITIVE_INFINITY })
      starts.push(at)
      runs.push(writeRun(piece, at, end))
      if (end === at) break
      at = end
    }
    return { ...cutOf(piece), first, starts }
  })
  return { shelf: { chars, pieces: shelved }, runs }
}

/** What there is room for: characters of JSON, and units. */
export interface PageLimits {
  readonly chars: number
  readonly limit: number
}

/** Where a page or a run ends: as far as it may go, but past one unit at least, or there would be no end of them. */
export function endOfRun(piece: Piece, offset: number, { chars, limit }: PageLimits): number {
  if (piece.unit === 'block') return 1
  if (piece.unit !== 'chars') return endOfEntries(piece, offset, { chars, limit })
  const { text } = piece
  const end = beforePair(text, Math.min(endOfFitting(text, offset, chars), offset + limit))
  return end > offset ? end : offset + String.fromCodePoint(text.codePointAt(offset) ?? 0).length
}

function endOfEntries({ entries, cuts }: Entries, offset: number, { chars, limit }: PageLimits): number {
  const last = Math.min(entries.length, offset + limit)
  let left = chars
  let end = offset
  while (end < last) {
    const cut = cuts.size === 0 ? undefined : cuts.get(end)
    left -= measureJson(entries[end], chars) + 1 + (cut === undefined ? 0 : costOf(cut))
    if (left < 0 && end > offset) break
    end += 1
  }
  return end
}

function writeRun(piece: Piece, from: number, to: number): string {
  if (piece.unit === 'chars') return JSON.stringify(piece.text.slice(from, to))
  if (piece.unit === 'block') return writeJson(piece.block)
  const entries = piece.entries.slice(from, to)
  if (piece.cuts.size === 0) return writeJson({ entries })
  return writeJson({ entries, cuts: entries.map((_, at) => piece.cuts.get(from + at) ?? []) })
}

/** What upstream connections let through, and the frame of a run. */
const MAX_DEPTH = 210

/** A stretch of a piece, from runs that follow each other. Undefined if they are not what was written. */
export function readStretch({ part, unit }: ShelvedPiece, runs: readonly string[]): Piece | undefined {
  const values = runs.map(run => parseJson(run, MAX_DEPTH)).flatMap(read => (read.ok ? [read.value] : []))
  if (values.length === 0 || values.length < runs.length) return undefined
  if (unit === 'block') return { unit, part, block: values[0] }
  if (unit === 'chars') return { unit, part, text: values.join('') }
  const entries: unknown[] = []
  const cuts = new Map<number, readonly Cut[]>()
  for (const value of values) {
    if (!isJsonObject(value) || !Array.isArray(value.entries)) return undefined
    const each = (value.cuts ?? []) as readonly (readonly Cut[])[]
    for (const [at, cut] of each.entries()) if (cut.length > 0) cuts.set(entries.length + at, cut)
    for (const entry of value.entries) entries.push(entry)
  }
  return { unit, part, entries, cuts }
}
