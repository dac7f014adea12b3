import type { Json } from '../../protocol/messages.ts'
import { layOut } from '../kept/lay-out.ts'
import {
  findPage,
  type Page,
  type Pages,
  type ReadRequest,
  type RequestProblem,
  RUNS_OF_A_PAGE,
  showPage,
} from '../kept/page-result.ts'
import { readStretch, splitIntoRuns } from '../kept/stored-result.ts'

export interface KeptPages extends Pages {
  readonly runs: readonly string[]
}

/** Splits a result into pages in the form in which the store keeps them. */
export function keepPages(result: Json, chars: number, handle: string): KeptPages {
  const { stored, runs } = splitIntoRuns(layOut(result, chars).pieces, chars)
  return { handle, tool: 'crm:export', ...stored, runs }
}

/** Reads one page of a kept result. */
export function pageResult(pages: KeptPages, request: ReadRequest): Page | RequestProblem {
  const place = findPage(pages, request)
  if ('problem' in place) return place
  const { piece, run } = place
  const from = piece.first + run
  const end = Math.min(from + RUNS_OF_A_PAGE, piece.first + piece.starts.length)
  const stretch = readStretch(piece, pages.runs.slice(from, end))
  if (stretch === undefined) throw new Error('a run is damaged')
  return showPage(pages, request, { ...place, stretch })
}
