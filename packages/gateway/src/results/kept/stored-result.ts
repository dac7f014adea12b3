import { isJsonObject } from '../../protocol/messages.ts'
import { parseJson, writeJson } from '../../protocol/parse-json.ts'
import { beforePair, endOfFitting, measureJson } from './measure-json.ts'
import { type Cut, costOf, cutOf, type Entries, type Piece, totalOf } from './take-apart.ts'

/** Describes a piece without its content. The content is stored in runs of about one page each. */
export interface StoredPiece extends Cut {
  /** The number of the first run of this piece. */
  readonly first: number
  /** The offset at which each run of this piece begins, in units of the piece: characters, items or members. */
  readonly starts: readonly number[]
}

/** The index of a stored result. To find a page, only this index must be read, however long the result is. */
export interface StoredResult {
  readonly chars: number
  /** The only toolset in which the result can be read. */
  readonly set?: string
  readonly pieces: readonly StoredPiece[]
}

/**
 * Splits pieces into runs, so that the cost of reading a page depends on the length of the page and not on that of the
 * result.
 */
export function splitIntoRuns(
  pieces: readonly Piece[],
  chars: number,
): { stored: StoredResult; runs: readonly string[] } {
  const runs: string[] = []
  const storedPieces = pieces.map(piece => {
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
  return { stored: { chars, pieces: storedPieces }, runs }
}

/** The limits of a page: maximum numbers of characters of JSON and of units. */
export interface PageLimits {
  readonly chars: number
  readonly limit: number
}

/**
 * Finds the end of a page or run, as far as the limits allow. It contains at least one unit, so that reading always
 * advances.
 */
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

/** Maximum depth of nesting: what connections to servers accept, plus the levels that a run adds. */
const MAX_DEPTH = 210

/** Reads a stretch of a piece from consecutive runs. Returns undefined if the runs are damaged. */
export function readStretch({ part, unit }: StoredPiece, runs: readonly string[]): Piece | undefined {
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
