// What the load generator is asked to do, and what it answers. It runs in a process of its own.
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
  /** How many tools the server has; calls go to all of them in turn. */
  readonly tools: number
  readonly milliseconds: number
}

export type Order =
  | { readonly kind: 'load'; readonly load: Load }
  /** Opens that many legacy sessions, makes one call in each, and forgets them. */
  | { readonly kind: 'abandon'; readonly target: Target; readonly sessions: number }
  /** Sends calls and does not wait for what comes back. */
  | { readonly kind: 'pester'; readonly target: Target; readonly calls: number; readonly era: Era }
  /** Answers with how many of those calls are open still. */
  | { readonly kind: 'count-pestering' }

export interface Outcome {
  /** All of them, those that opened the connections included: the proxy has worked for every one. */
  readonly calls: number
  /** How long the calls in `latencies` took together. */
  readonly milliseconds: number
  /** In microseconds, of every right answer over a connection that was open already. */
  readonly latencies: Float64Array
  /** Wrong or missing answers: how many, and what the first one was. */
  readonly wrong: number
  readonly firstWrong?: string
}
