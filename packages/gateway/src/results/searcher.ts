import { Worker } from 'node:worker_threads'
import type { Reason } from '../policy/facts/facts.ts'
import { isJsonObject, type Json } from '../protocol/messages.ts'
import { type Change, KnownTexts } from './known-texts.ts'
import {
  A_TEXT,
  markUnsearched,
  mustNotPass,
  type Search,
  type Searched,
  TextSearch,
} from './search-texts.ts'

export interface SearchJob {
  readonly texts: readonly string[]
  /** The indexes of those texts that were found inside bytes. */
  readonly amongBytes?: ReadonlySet<number>
  /** The part of the search limit that is already used, in characters. */
  readonly spent?: number
  readonly searches: readonly Search[]
}

/** A message that carries the number of its job, so that a late reply is not mistaken for the reply to another job. */
export interface Numbered<T> {
  readonly number: number
  readonly of: T
}

export interface Found extends Searched {
  readonly changes: readonly Change[]
}

/** Searches the texts of a job. This runs in the worker thread. */
export function searchJob({ texts, amongBytes, spent = 0, searches }: SearchJob): Found {
  const search = new TextSearch(searches)
  search.spend(spent)
  const known = new KnownTexts()
  const changes: Change[] = []
  for (const [number, text] of texts.entries()) {
    if (search.isDone) break
    const among = amongBytes?.has(number) === true ? 'bytes' : undefined
    const changed = search.change(text, among)
    // A second copy of a text might have been cut at the limit, so only the first copy counts.
    if (changed === text || known.of(text, among) !== undefined) continue
    known.add(text, changed, among)
    changes.push(among === undefined ? [text, changed] : [text, changed, among])
  }
  return { ...search.end(), changes }
}

interface Waiting {
  readonly job: SearchJob
  /** The memory that the result takes until the search ends, in bytes. */
  readonly size: number
  readonly settle: (found: Found) => void
}

/** A search normally takes far less time than this. A thread that takes longer counts as hanging. */
const MOST_MS = 10_000
/** A thread that has been idle for this long is ended, because it takes memory. */
const IDLE_MS = 60_000
/**
 * Maximum size of one caller's waiting results, in bytes. A limit is needed because results of disconnected callers
 * stay in the queue.
 */
export const MOST_WAITING = 32 * 1024 * 1024
const MOST_WAITING_IN_ALL = 4 * MOST_WAITING
/** Memory limits of a worker thread. Searches need little memory, whatever the input is. */
const LIMITS = { maxOldGenerationSizeMb: 256 }

interface ThreadOptions {
  readonly worker?: URL
  readonly mostMs?: number
}

/** Jobs up to this many characters have a separate thread, so that they do not wait for long jobs. */
const SHORT = 128 * 1024

/**
 * Searches long texts in worker threads. Callers take turns, so that a caller that sends a lot does not delay the
 * others. A result that cannot be searched is blocked if the rules require the search.
 *
 * @example
 * const { taints } = await new Searcher().search({ texts, searches }, 'agent:bot')
 */
export class Searcher {
  readonly #short: SearchThread
  readonly #long: SearchThread

  constructor(options: ThreadOptions = {}) {
    this.#short = new SearchThread(options)
    this.#long = new SearchThread(options)
  }

  /**
   * Searches a job. The promise never rejects. `kept` is the size of the whole result, which stays in memory until the
   * search ends.
   */
  search(job: SearchJob, owner: string, kept = 0): Promise<Found> {
    const chars = job.texts.reduce((sum, text) => sum + A_TEXT + text.length, 0)
    return (chars <= SHORT ? this.#short : this.#long).search(job, owner, Math.max(chars, kept))
  }

  async close(): Promise<void> {
    await Promise.all([this.#short.close(), this.#long.close()])
  }
}

/** A worker thread, which searches one result at a time. */
class SearchThread {
  readonly #worker: URL
  readonly #mostMs: number
  readonly #queues = new Map<string, Waiting[]>()
  #waiting = 0
  #thread: Worker | undefined
  #number = 0
  #current: Waiting | undefined
  #deadline: NodeJS.Timeout | undefined
  #idle: NodeJS.Timeout | undefined
  #isClosed = false

  constructor({ worker = new URL('./search-worker.js', import.meta.url), mostMs = MOST_MS }: ThreadOptions) {
    this.#worker = worker
    this.#mostMs = mostMs
  }

  search(job: SearchJob, owner: string, size: number): Promise<Found> {
    const queue = this.#queues.get(owner) ?? []
    const own = queue.reduce((sum, waiting) => sum + waiting.size, size)
    if (queue.length > 0 && (own > MOST_WAITING || this.#waiting + size > MOST_WAITING_IN_ALL))
      return Promise.resolve(unsearched(job, 'too many other results are waiting'))
    return new Promise(settle => {
      queue.push({ job, size, settle })
      this.#waiting += size
      this.#queues.set(owner, queue)
      this.#next()
    })
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#end(ENDING)
  }

  #next(): void {
    const [first] = this.#queues
    if (this.#current !== undefined) return
    if (first === undefined) return this.#rest()
    clearTimeout(this.#idle)
    const [owner, queue] = first
    // Callers take turns: the caller's queue moves to the end, behind those of all others.
    this.#queues.delete(owner)
    const waiting = queue.shift()
    if (queue.length > 0) this.#queues.set(owner, queue)
    if (waiting === undefined) return this.#next()
    this.#waiting -= waiting.size
    this.#current = waiting
    if (this.#isClosed) return this.#settle(unsearched(waiting.job, ENDING))
    this.#deadline = setTimeout(() => void this.#end('the search took too long'), this.#mostMs)
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    this.#start().postMessage({ number: ++this.#number, of: waiting.job } satisfies Numbered<SearchJob>)
  }

  #rest(): void {
    clearTimeout(this.#idle)
    if (this.#thread !== undefined) this.#idle = setTimeout(() => void this.#end(ENDING), IDLE_MS).unref()
  }

  #start(): Worker {
    if (this.#thread !== undefined) return this.#thread
    const thread = new Worker(this.#worker, { resourceLimits: LIMITS, env: {}, execArgv: [] })
    thread.on('message', ({ number, of }: Numbered<Found>) => {
      if (number === this.#number && this.#thread === thread) this.#settle(of)
    })
    thread.on('error', () => this.#lose(thread))
    thread.on('exit', () => this.#lose(thread))
    // An idle thread must not keep the process alive.
    thread.unref()
    this.#thread = thread
    return thread
  }

  #settle(found: Found): void {
    clearTimeout(this.#deadline)
    const { settle } = this.#current ?? {}
    this.#current = undefined
    settle?.(found)
    this.#next()
  }

  #lose(thread: Worker): void {
    if (this.#thread !== thread) return
    this.#thread = undefined
    if (this.#current !== undefined) this.#settle(unsearched(this.#current.job, 'the search failed'))
  }

  /** Ends the thread. The next job gets a new one. */
  async #end(why: string): Promise<void> {
    const thread = this.#thread
    this.#thread = undefined
    if (this.#current !== undefined) this.#settle(unsearched(this.#current.job, why))
    await thread?.terminate()
  }
}

const ENDING = 'the gateway is stopping'

/**
 * Returns the outcome of a search that failed. The result is blocked or marked if the rules require that; otherwise it
 * is reported as not searched.
 */
function unsearched({ searches }: SearchJob, why: string): Found {
  const reason: Reason = {
    rule: 'result.length',
    source: 'config results',
    text: `it could not be searched: ${why}`,
  }
  const reasons = mustNotPass(searches) ? [reason] : []
  return { taints: markUnsearched(searches), reasons, searched: 0, changes: [] }
}

/** The fixed size of a value in bytes. */
const A_VALUE = 16
/** Matches a character that makes its whole string take two bytes per character. Most strings contain none. */
const WIDE = /[^\0-\xFF]/

/**
 * Returns the approximate size of a result in bytes. Stops at the limit, so that a list of millions is not read to its
 * end.
 */
export function measureKept(result: unknown): number {
  let size = 0
  const waiting: (Json | readonly unknown[])[] = []
  const weigh = (one: unknown): void => {
    if (typeof one === 'string') size += WIDE.test(one) ? 2 * one.length : one.length
    else if (Array.isArray(one) || isJsonObject(one)) waiting.push(one)
  }
  const weighMembers = (one: Json): void => {
    // `Object.values` or `Object.entries` would take three times as long if there are very many members.
    const names = Object.keys(one)
    size += 2 * A_VALUE * names.length
    if (size > MOST_WAITING) return
    for (const name of names) {
      weigh(name)
      weigh(one[name])
    }
  }
  const weighItems = (items: readonly unknown[]): void => {
    size += A_VALUE * items.length
    if (size <= MOST_WAITING) for (const item of items) weigh(item)
  }
  weigh(result)
  for (let one = waiting.pop(); one !== undefined && size <= MOST_WAITING; one = waiting.pop())
    if (Array.isArray(one)) weighItems(one)
    else weighMembers(one as Json)
  return size
}
