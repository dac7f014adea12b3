import { Worker } from 'node:worker_threads'
import type { Reason } from '../verdict/facts.ts'
import { type Search, type Searched, TextSearch } from './search-texts.ts'

export interface SearchJob {
  readonly texts: readonly string[]
  readonly searches: readonly Search[]
}

export interface Found extends Searched {
  /** Texts that others stand in the place of. */
  readonly changes: readonly (readonly [text: string, instead: string])[]
}

/** What the thread does. */
export function searchJob({ texts, searches }: SearchJob): Found {
  const search = new TextSearch(searches)
  const changes = new Map<string, string>()
  for (const text of texts) {
    if (search.isDone) break
    const changed = search.change(text)
    if (changed !== text) changes.set(text, changed)
  }
  return { ...search.end(), changes: [...changes] }
}

interface Waiting {
  readonly job: SearchJob
  readonly settle: (found: Found) => void
}

/** Far more than any text takes; a thread that needs longer hangs. */
const MOST_MS = 10_000
/** A thread takes memory that nobody misses who has nothing to search. */
const IDLE_MS = 60_000
/** The searches need little, whatever they are given. */
const LIMITS = { maxOldGenerationSizeMb: 256 }

/**
 * Searches long texts in a thread of its own, one result at a time and the callers in turn, so that nobody waits for who sends
 * a lot. What cannot be searched is held back.
 *
 * @example
 * const { taints } = await new Searcher().search({ texts, searches }, 'agent:bot')
 */
export class Searcher {
  readonly #worker: URL
  readonly #mostMs: number
  readonly #queues = new Map<string, Waiting[]>()
  #thread: Worker | undefined
  #current: Waiting | undefined
  #deadline: NodeJS.Timeout | undefined
  #idle: NodeJS.Timeout | undefined
  #isClosed = false

  constructor({ worker = new URL('./search-worker.js', import.meta.url), mostMs = MOST_MS } = {}) {
    this.#worker = worker
    this.#mostMs = mostMs
  }

  /** Never rejects. */
  search(job: SearchJob, owner: string): Promise<Found> {
    return new Promise(settle => {
      const queue = this.#queues.get(owner) ?? []
      queue.push({ job, settle })
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
    this.#current = waiting
    if (this.#isClosed) return this.#settle(unsearched(ENDING))
    this.#deadline = setTimeout(() => void this.#end('it took too long'), this.#mostMs)
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    this.#start().postMessage(waiting.job)
  }

  #rest(): void {
    clearTimeout(this.#idle)
    if (this.#thread !== undefined) this.#idle = setTimeout(() => void this.#end(ENDING), IDLE_MS).unref()
  }

  #start(): Worker {
    if (this.#thread !== undefined) return this.#thread
    const thread = new Worker(this.#worker, { resourceLimits: LIMITS, env: {}, execArgv: [] })
    thread.on('message', (found: Found) => this.#settle(found))
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
    if (this.#current !== undefined) this.#settle(unsearched('the search failed'))
  }

  /** The next one gets a new thread. */
  async #end(why: string): Promise<void> {
    const thread = this.#thread
    this.#thread = undefined
    if (this.#current !== undefined) this.#settle(unsearched(why))
    await thread?.terminate()
  }
}

const ENDING = 'the gateway is ending'

function unsearched(why: string): Found {
  const reason: Reason = {
    rule: 'result.length',
    source: 'config results',
    text: `it could not be searched: ${why}`,
  }
  return { taints: [], reasons: [reason], searched: undefined, changes: [] }
}
