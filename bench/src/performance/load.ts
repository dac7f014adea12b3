// The jobs and results of the load generator, which runs in its own process.
import type { Era, Kilobytes } from './answers.ts'

export type Target =
  | { readonly kind: 'http'; readonly url: string; readonly headers: Readonly<Record<string, string>> }
  | { readonly kind: 'stdio'; readonly command: readonly string[] }

export interface Load {
  readonly targets: readonly Target[]
  readonly era: Era
  readonly operation: 'call' | 'list'
  readonly concurrency: number
  readonly kb: Kilobytes
  /** The number of tools of the server; calls go to all of them in turn. */
  readonly tools: number
  readonly milliseconds: number
}

export type Order =
  | { readonly kind: 'load'; readonly load: Load }
  /** Opens this many legacy sessions, makes one call in each, and abandons them. */
  | { readonly kind: 'abandon'; readonly target: Target; readonly sessions: number }
  /** Sends calls without waiting for the answers. */
  | { readonly kind: 'pester'; readonly target: Target; readonly calls: number; readonly era: Era }
  /** Returns how many of those calls are still open. */
  | { readonly kind: 'count-pestering' }

export interface Outcome {
  /** All calls, including those that opened connections, because the proxy worked for all of them. */
  readonly calls: number
  /** The elapsed time of the calls in `latencies`. */
  readonly milliseconds: number
  /** In microseconds, of every correct answer over an open connection. */
  readonly latencies: Float64Array
  /** Wrong or missing answers: their number and the first one. */
  readonly wrong: number
  readonly firstWrong?: string
}
