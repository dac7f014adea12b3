import { Worker } from 'node:worker_threads'
import type { ModelFiles } from './load-model.ts'

/** A point that stands for a text. Texts with similar meanings have points close to each other. Its length is 1. */
export type Vector = Float32Array

/** Turns texts into vectors. */
export interface Embeds {
  /** Resolves with undefined if that is impossible. `isUrgent` jobs, such as queries, come before all others. */
  embed(texts: readonly string[], isUrgent: boolean): Promise<readonly Vector[] | undefined>
  close(): Promise<void>
}

interface Job {
  readonly texts: readonly string[]
  readonly settle: (vectors: readonly Vector[] | undefined) => void
}

/** The model needs 150 MB. */
const LIMITS = { maxOldGenerationSizeMb: 512 }
/** A job takes a fraction of a second, and the first one loads the model. A thread that takes longer counts as hanging. */
const MOST_MS = 30_000
/** Maximum number of waiting queries. Beyond it, a search uses words only. */
const MAX_URGENT = 64

interface ThreadOptions {
  readonly worker?: URL
  readonly mostMs?: number
}

/** Runs the model in a worker thread, one job at a time, so that the gateway never waits for it. */
export class Embedder implements Embeds {
  readonly #files: ModelFiles
  readonly #worker: URL
  readonly #mostMs: number
  readonly #onError: (error: unknown) => void
  readonly #urgent: Job[] = []
  readonly #others: Job[] = []
  #thread: Worker | undefined
  #current: Job | undefined
  #number = 0
  #deadline: NodeJS.Timeout | undefined
  /** After a failure, the thread is not started again: it would fail again for every query. */
  #isOver = false

  constructor(
    files: ModelFiles,
    onError: (error: unknown) => void,
    { worker = new URL('./embed-worker.js', import.meta.url), mostMs = MOST_MS }: ThreadOptions = {},
  ) {
    this.#files = files
    this.#worker = worker
    this.#mostMs = mostMs
    this.#onError = onError
  }

  embed(texts: readonly string[], isUrgent: boolean): Promise<readonly Vector[] | undefined> {
    if (this.#isOver || (isUrgent && this.#urgent.length >= MAX_URGENT)) return Promise.resolve(undefined)
    return new Promise(settle => {
      const queue = isUrgent ? this.#urgent : this.#others
      queue.push({ texts, settle })
      this.#next()
    })
  }

  async close(): Promise<void> {
    const thread = this.#end()
    await thread?.terminate()
  }

  #next(): void {
    if (this.#current !== undefined || this.#isOver) return
    this.#current = this.#urgent.shift() ?? this.#others.shift()
    if (this.#current === undefined) return
    this.#number += 1
    this.#deadline = setTimeout(() => this.#hang(), this.#mostMs)
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    this.#start().postMessage({ number: this.#number, texts: this.#current.texts })
  }

  #start(): Worker {
    if (this.#thread !== undefined) return this.#thread
    const thread = new Worker(this.#worker, {
      workerData: this.#files,
      resourceLimits: LIMITS,
      env: {},
      execArgv: [],
      // The packages print what they load.
      stdout: true,
      stderr: true,
    })
    thread.on('message', ({ number, vectors }: { number: number; vectors: readonly Vector[] }) => {
      if (number === this.#number) this.#settle(vectors)
    })
    thread.on('error', error => {
      this.#onError(error)
      this.#end()
    })
    thread.on('exit', () => this.#end())
    thread.unref()
    this.#thread = thread
    return thread
  }

  #hang(): void {
    this.#onError(new Error('the model for semantic search took too long, so searches compare words alone'))
    void this.close()
  }

  #settle(vectors: readonly Vector[] | undefined): void {
    clearTimeout(this.#deadline)
    const { settle } = this.#current ?? {}
    this.#current = undefined
    settle?.(vectors)
    this.#next()
  }

  #end(): Worker | undefined {
    const thread = this.#thread
    clearTimeout(this.#deadline)
    this.#thread = undefined
    this.#isOver = true
    const waiting = [this.#current, ...this.#urgent.splice(0), ...this.#others.splice(0)]
    this.#current = undefined
    for (const job of waiting) job?.settle(undefined)
    return thread
  }
}
