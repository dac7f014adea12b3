import { HintgateError } from '../../base/errors.ts'
import { isInputRequired } from '../../protocol/eras.ts'
import type { Json } from '../../protocol/messages.ts'
import { writeJson } from '../../protocol/parse-json.ts'
import { isTask } from '../../protocol/tasks.ts'
import type { KeptResult, ResultQuota, ResultStore } from '../../store/store.ts'
import { measureJson } from './measure-json.ts'
import {
  createHandle,
  findPage,
  NO_HANDLE,
  type Page,
  type RequestProblem,
  RUNS_OF_A_PAGE,
  readRequest,
  showPage,
} from './page-result.ts'
import { type ShowOptions, splitResult } from './split-result.ts'
import { readStretch, type StoredResult, splitIntoRuns } from './stored-result.ts'

export interface ResultKeeperOptions {
  readonly store: ResultStore
  /** Maximum number of characters of JSON in one answer, whether that is the first part or a later page. */
  readonly chars: number
  readonly keepMs: number
  readonly quota: ResultQuota
  readonly randomBytes: (size: number) => Uint8Array
}

export interface ResultCall {
  readonly owner: string
  /** The tool's id, in the form `server:tool`. */
  readonly tool: string
  readonly now: number
  /** The result as JSON text, if it was already encoded. */
  readonly text?: string | undefined
  readonly structured: ShowOptions['structured']
  /** Maximum number of characters of an answer, if it is not the usual one. */
  readonly chars?: number | undefined
  /** The only toolset in which the result can be read. */
  readonly set?: string | undefined
}

export type Kept =
  | { readonly kind: 'whole' }
  /** The result is stored, and `first` is the answer. */
  | { readonly kind: 'kept'; readonly first: Json; readonly handle: string }
  /** The result is too long for one answer and could not be stored. */
  | { readonly kind: 'not-kept'; readonly why: string; readonly cause?: unknown }

/** Stores results that are too long for one answer, and reads them page by page. */
export class ResultKeeper {
  readonly #options: ResultKeeperOptions

  constructor(options: ResultKeeperOptions) {
    this.#options = options
  }

  /**
   * Stores a result that is too long for one answer. Either all of it can be read, now or later, or the caller is told
   * that it cannot.
   */
  async keep(result: Json, call: ResultCall): Promise<Kept> {
    const { keepMs, randomBytes } = this.#options
    const { chars = this.#options.chars } = call
    // A question or a task is never stored, because the client can use it only if it arrives complete.
    if (isInputRequired(result) || isTask(result) || !isLongerThan(chars, result, call.text))
      return { kind: 'whole' }
    const total = (call.text ?? writeJson(result)).length
    const handle = createHandle(randomBytes)
    const { owner, tool, structured, now } = call
    const split = splitResult(result, { chars, total, handle, structured })
    if (split === undefined) return { kind: 'whole' }
    const { stored, runs } = splitIntoRuns(split.pieces, chars)
    const body = JSON.stringify(call.set === undefined ? stored : { ...stored, set: call.set })
    const kept = { handle, owner, tool, createdAt: now, expiresAt: now + keepMs, body }
    return (await this.#insert(kept, runs)) ?? { kind: 'kept', first: split.first, handle }
  }

  /**
   * Returns a page, or the problem with an argument. The problem is the same for another caller's result as for an
   * unknown handle.
   */
  async read(
    args: unknown,
    { owner, now }: { readonly owner: string; readonly now: number },
  ): Promise<Page | RequestProblem> {
    const request = readRequest(args)
    if ('problem' in request) return request
    const { handle } = request
    const { store } = this.#options
    const kept = await store.find(handle, owner, now)
    if (kept === undefined) return NO_HANDLE
    const pages = { handle, tool: kept.tool, ...(JSON.parse(kept.body) as StoredResult) }
    const place = findPage(pages, request)
    if ('problem' in place) return place
    const { piece, run } = place
    const count = Math.min(RUNS_OF_A_PAGE, piece.starts.length - run)
    const stretch = readStretch(piece, await store.readRuns(handle, piece.first + run, count))
    // In the meantime, a newer result might have replaced this one.
    return stretch === undefined ? NO_HANDLE : showPage(pages, request, { ...place, stretch })
  }

  async #insert(
    kept: KeptResult,
    runs: readonly string[],
  ): Promise<Extract<Kept, { kind: 'not-kept' }> | undefined> {
    try {
      if (await this.#options.store.insert(kept, this.#options.quota, runs)) return undefined
      return { kind: 'not-kept', why: 'there is no space to store it' }
    } catch (error) {
      if (!(error instanceof HintgateError)) throw error
      return { kind: 'not-kept', why: 'it could not be stored', cause: error }
    }
  }
}

function isLongerThan(chars: number, result: Json, text: string | undefined): boolean {
  return text === undefined ? measureJson(result, chars) > chars : text.length > chars
}
