import type { Caller, Exchange, QuestionResult } from '../../../exchange/exchange.ts'
import { type Id, isJsonObject, type Json, type Notification } from '../../../protocol/messages.ts'
import type { Ask } from '../../../upstream/connection/upstream-request.ts'

/**
 * The exchange of one of several calls in a request. Notifications about the call go to the client that sent the whole
 * request.
 */
export class PartExchange implements Exchange {
  readonly requestId: string
  readonly caller: Caller
  readonly id: Id
  readonly method: string
  readonly params: Json | undefined
  readonly isPart = true
  readonly #whole: Exchange
  readonly #at: number
  readonly #progress: SharedProgress

  constructor(whole: Exchange, at: number, progress: SharedProgress) {
    this.requestId = `${whole.requestId}.${at + 1}`
    this.caller = whole.caller
    this.id = whole.id
    this.method = whole.method
    this.params = whole.params
    this.#whole = whole
    this.#at = at
    this.#progress = progress
  }

  notify(notification: Notification): void {
    if (notification.method === 'notifications/progress') this.#progress.report(this.#at, notification.params)
    else this.#whole.notify(notification)
  }

  ask(ask: Ask): Promise<QuestionResult> {
    return this.#whole.ask(ask)
  }

  onCancel(listener: (reason?: string) => void): void {
    this.#whole.onCancel(listener)
  }
}

/**
 * Combines the progress of several calls into one value. Each call counts as one step, and the value never decreases.
 */
export class SharedProgress {
  readonly #whole: Exchange
  readonly #token: unknown
  readonly #shares: number[]

  constructor(whole: Exchange, count: number) {
    this.#whole = whole
    const meta = whole.params?._meta
    this.#token = isJsonObject(meta) ? meta.progressToken : undefined
    this.#shares = Array.from({ length: count }, () => 0)
  }

  /** Reports the progress of one call. If the call gives no total, only its message is passed on. */
  report(at: number, { progress, total, message }: Json = {}): void {
    const share =
      typeof progress === 'number' && typeof total === 'number' && total > 0 ? progress / total : 0
    this.#raise(at, Math.min(share, 0.99), typeof message === 'string' ? message : undefined)
  }

  finish(at: number, name: string): void {
    this.#raise(at, 1, `${name} is done`)
  }

  #raise(at: number, share: number, message: string | undefined): void {
    const before = this.#shares[at] ?? 0
    if (this.#token === undefined || share <= before) return
    this.#shares[at] = share
    const params = {
      progressToken: this.#token,
      progress: this.#shares.reduce((sum, each) => sum + each, 0),
      total: this.#shares.length,
      ...(message === undefined ? {} : { message }),
    }
    this.#whole.notify({ jsonrpc: '2.0', method: 'notifications/progress', params })
  }
}
