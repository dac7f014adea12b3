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
  /** Which of them, by their numbers, stand among bytes. */
  readonly amongBytes?: ReadonlySet<number>
  /** How much of the room was used up before. */
  readonly spent?: number
  readonly searches: readonly Search[]
}

/** With the number of its job: what comes late is not taken for what is waited for. */
export interface Numbered<T> {
  readonly number: number
  readonly of: T
}

export interface Found extends Searched {
  readonly changes: readonly Change[]
}

/** What the thread does. */
export function searchJob({ texts, amongBytes, spent = 0, searches }: SearchJob): Found {
  const search = new TextSearch(searches)
  search.spend(spent)
  const known = new KnownTexts()
  const changes: Change[] = []
  for (const [number, text] of texts.entries()) {
    if (search.isDone) break
    const among = amongBytes?.has(number) === true ? 'bytes' : undefined
    const changed = search.change(text, among)
    // Of a text that stands there twice the second may be cut; what was found in all of it counts.
    if (changed === text || known.of(text, among) !== undefined) continue
    known.add(text, changed, among)
    changes.push(among === undefined ? [text, changed] : [text, changed, among])
  }
  return { ...search.end(), changes }
}

interface Waiting {
  readonly job: SearchJob
  /** What is kept until it is searched. */
  readonly size: number
  readonly settle: (found: Found) => void
}

/** Far more than any text takes; a thread that needs longer hangs. */
const MOST_MS = 10_000
/** A thread takes memory that nobody misses who has nothing to search. */
const IDLE_MS = 60_000
/** Results of so many bytes may wait of one caller, and of all: callers that hang up leave their work behind. */
export const MOST_WAITING = 32 * 1024 * 1024
const MOST_WAITING_IN_ALL = 4 * MOST_WAITING
/** The searches need little, whatever they are given. */
const LIMITS = { maxOldGenerationSizeMb: 256 }

interface ThreadOptions {
  readonly worker?: URL
  readonly mostMs?: number
}

/** What has fewer characters does not wait for what takes seconds. */
const SHORT = 128 * 1024

/**
 * Searches long texts beside the event loop, the callers in turn, so that nobody waits for who sends a lot. What cannot be
 * searched is held back where something must not pass.
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

  /** Never rejects. What is `kept` until then is all of a result, of which no more than a megabyte is searched. */
  search(job: SearchJob, owner: string, kept = 0): Promise<Found> {
    const chars = job.texts.reduce((sum, text) => sum + A_TEXT + text.length, 0)
    return (chars <= SHORT ? this.#short : this.#long).search(job, owner, Math.max(chars, kept))
  }

  async close(): Promise<void> {
    await Promise.all([this.#short.close(), this.#long.close()])
  }
}

/** One thread, which searches one result at a time. */
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
      return Promise.resolve(unsearched(job, 'too many others wait for that'))
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
    // Whoever has more to search comes again after all others.
    this.#queues.delete(owner)
    const waiting = queue.shift()
    if (queue.length > 0) this.#queues.set(owner, queue)
    if (waiting === undefined) return this.#next()
    this.#waiting -= waiting.size
    this.#current = waiting
    if (this.#isClosed) return this.#settle(unsearched(waiting.job, ENDING))
    this.#deadline = setTimeout(() => void this.#end('it took too long'), this.#mostMs)
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
    // An idle thread keeps nobody from ending.
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

  /** The next one gets a new thread. */
  async #end(why: string): Promise<void> {
    const thread = this.#thread
    this.#thread = undefined
    if (this.#current !== undefined) this.#settle(unsearched(this.#current.job, why))
    await thread?.terminate()
  }
}

const ENDING = 'the gateway is ending'

/** Held back where something must not pass, marked where it is to be; elsewhere the result says that nobody looked. */
function unsearched({ searches }: SearchJob, why: string): Found {
  const reason: Reason = {
    rule: 'result.length',
    source: 'config results',
    text: `it could not be searched: ${why}`,
  }
  const reasons = mustNotPass(searches) ? [reason] : []
  return { taints: markUnsearched(searches), reasons, searched: 0, changes: [] }
}

/** A value takes so much, however short it is. */
const A_VALUE = 16
/** One of these, and every character of its text takes two bytes. Texts that have none are not searched for it. */
const WIDE = /[^\0-\xFF]/

/** In bytes, roughly, and no more than may wait: a list of millions is not walked to its end. */
export function measureKept(result: unknown): number {
  let size = 0
  const waiting: (Json | readonly unknown[])[] = []
  const weigh = (one: unknown): void => {
    if (typeof one === 'string') size += WIDE.test(one) ? 2 * one.length : one.length
    else if (Array.isArray(one) || isJsonObject(one)) waiting.push(one)
  }
  const weighMembers = (one: Json): void => {
    // Its values or entries, as a list, would take three times as long where there are very many.
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
