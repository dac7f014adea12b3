import { HintgateError } from '../errors.ts'
import { isInputRequired } from '../protocol/eras.ts'
import { isJsonObject, type Json } from '../protocol/messages.ts'
import { parseJson, writeJson } from '../protocol/parse-json.ts'
import type { KeptResult, ResultQuota, ResultStore } from '../store/store.ts'
import { createHandle } from './handle.ts'
import { layOut } from './lay-out.ts'
import { measureJson } from './measure-json.ts'
import { type Page, pageResult } from './page-result.ts'
import { NO_HANDLE, type RequestProblem, readRequest } from './read-request.ts'
import { type RecentResult, RecentResults } from './recent-results.ts'
import type { ShowOptions } from './show-first.ts'
import { splitResult } from './split-result.ts'

export interface ResultKeeperOptions {
  readonly store: ResultStore
  /** The longest that an answer, first part or page, may be, in characters of JSON. */
  readonly chars: number
  readonly keepMs: number
  readonly quota: ResultQuota
  readonly randomBytes: (size: number) => Uint8Array
  /** How many characters of bodies stay in memory for the next page. */
  readonly recentChars?: number
}

/** The call whose result it is. */
export interface ResultCall {
  readonly owner: string
  /** `server:tool`. */
  readonly tool: string
  readonly now: number
  /** The result as JSON, if it is at hand. */
  readonly text?: string | undefined
  readonly structured: ShowOptions['structured']
}

export type Kept =
  /** The result is to be answered as it is. */
  | { readonly kind: 'whole' }
  /** `first` is to be answered; the rest is durable by now. */
  | { readonly kind: 'kept'; readonly first: Json; readonly handle: string }
  /** It is too long to be answered, and there is no place for it. */
  | { readonly kind: 'not-kept'; readonly why: string; readonly cause?: unknown }

const RECENT_CHARS = 8_000_000
/** What upstream connections let through. */
const MAX_DEPTH = 200

/** Keeps results that are too long to be answered at once, and has them read page by page. */
export class ResultKeeper {
  readonly #options: ResultKeeperOptions
  readonly #recent: RecentResults

  constructor(options: ResultKeeperOptions) {
    this.#options = options
    this.#recent = new RecentResults(options.recentChars ?? RECENT_CHARS)
  }

  /** Nothing is lost: either the result may pass, or all of it can be read on, or the caller is told that not. */
  async keep(result: Json, call: ResultCall): Promise<Kept> {
    const { chars, keepMs, randomBytes } = this.#options
    // A question to the client must reach it whole, or it cannot be answered.
    if (isInputRequired(result) || !isLongerThan(chars, result, call.text)) return { kind: 'whole' }
    const body = call.text ?? writeJson(result)
    const handle = createHandle(randomBytes)
    const { owner, tool, structured, now } = call
    const split = splitResult(result, { chars, total: body.length, handle, structured })
    if (split === undefined) return { kind: 'whole' }
    const kept = { handle, owner, tool, createdAt: now, expiresAt: now + keepMs, body }
    const refused = await this.#insert(kept)
    if (refused !== undefined) return refused
    const pages = { handle, chars, tool, pieces: split.pieces }
    this.#recent.add({ owner, expiresAt: kept.expiresAt, pages, total: body.length })
    return { kind: 'kept', first: split.first, handle }
  }

  /** A page, or which argument is wrong. Only the owner gets to read; others are told what strangers are told. */
  async read(
    args: unknown,
    { owner, now }: { readonly owner: string; readonly now: number },
  ): Promise<Page | RequestProblem> {
    const request = readRequest(args)
    if ('problem' in request) return request
    const { handle } = request
    const found = this.#recent.find(handle, owner, now) ?? (await this.#load(handle, owner, now))
    return found === undefined ? NO_HANDLE : pageResult(found.pages, request)
  }

  async #insert(kept: KeptResult): Promise<Extract<Kept, { kind: 'not-kept' }> | undefined> {
    try {
      if (await this.#options.store.insert(kept, this.#options.quota)) return undefined
      return { kind: 'not-kept', why: 'there is no room to keep it' }
    } catch (error) {
      if (!(error instanceof HintgateError)) throw error
      return { kind: 'not-kept', why: 'it could not be kept', cause: error }
    }
  }

  async #load(handle: string, owner: string, now: number): Promise<RecentResult | undefined> {
    const kept = await this.#options.store.find(handle, owner, now)
    const parsed = kept && parseJson(kept.body, MAX_DEPTH)
    if (kept === undefined || !parsed?.ok || !isJsonObject(parsed.value)) return undefined
    const { chars } = this.#options
    const pages = { handle, chars, tool: kept.tool, pieces: layOut(parsed.value, chars).pieces }
    const loaded = { owner, expiresAt: kept.expiresAt, pages, total: kept.body.length }
    this.#recent.add(loaded)
    return loaded
  }
}

function isLongerThan(chars: number, result: Json, text: string | undefined): boolean {
  return text === undefined ? measureJson(result, chars) > chars : text.length > chars
}
