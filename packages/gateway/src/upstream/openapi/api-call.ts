import type { Holder, Unfinished } from '../../admission/unfinished.ts'
import { Pieces } from '../../base/pieces.ts'
import type { Exchange, Line, ResponseHead } from '../../http/client/exchange.ts'
import type { WirePool } from '../../http/client/wire-pool.ts'
import { writeHeaders } from '../../http/client/write-request.ts'
import type { Failure, RequestStream } from '../channel/channel.ts'
import { networkFailure, tooLarge } from '../http/http-failures.ts'
import type { ApiRequest } from './request/build-request.ts'
import type { ApiResponse } from './request/describe-answer.ts'

/** What all calls of an API share. */
export interface CallSetting {
  readonly pool: WirePool
  readonly maxBytes: number
  readonly unfinished: Unfinished
}

type Ended = { readonly response: ApiResponse } | { readonly failure: Failure }

const NOT_WANTED = new Error('no longer wanted')
const TOO_LARGE = new Error('too large')

/** One HTTP request and its response. `end` is called once, unless the call is abandoned. */
export class ApiCall implements Exchange, RequestStream, Holder {
  held = 0
  readonly #setting: CallSetting
  readonly #end: (ended: Ended) => void
  readonly #body = new Pieces()
  #line: Line | undefined
  #head: ResponseHead | undefined
  #isOver = false

  constructor(setting: CallSetting, end: (ended: Ended) => void) {
    this.#setting = setting
    this.#end = end
  }

  /** Sends the request, with headers that no argument can set. */
  start({ method, target, body }: ApiRequest, headers: Readonly<Record<string, string>>): void {
    const head = `${method} ${target} HTTP/1.1\r\n${writeHeaders(headers)}`
    this.#setting.pool.send(body === undefined ? { head } : { head, body }, this)
  }

  settle(): void {}

  abandon(): void {
    this.#isOver = true
    this.#line?.abort(this, NOT_WANTED)
  }

  giveUp(): void {
    this.#line?.abort(this, TOO_LARGE)
  }

  onLine(line: Line): void {
    this.#line = line
    if (this.#isOver) line.abort(this, NOT_WANTED)
  }

  onHead(head: ResponseHead): void {
    this.#head = head
  }

  onBody(piece: Buffer): void {
    this.held += piece.length
    if (!this.#setting.unfinished.hold(this, piece.length)) return this.giveUp()
    this.#body.add(piece)
    if (this.#body.size > this.#setting.maxBytes) this.giveUp()
  }

  onEnd(): void {
    const { status = 0, headers = new Map() } = this.#head ?? {}
    this.#finish({ response: { status, headers, bytes: this.#body.start(this.#body.size) } })
  }

  onError(error: Error): void {
    this.#finish({ failure: error === TOO_LARGE ? tooLarge(this.#setting.maxBytes) : networkFailure(error) })
  }

  #finish(ended: Ended): void {
    const { held } = this
    this.held = 0
    this.#setting.unfinished.hold(this, -held)
    if (this.#isOver) return
    this.#isOver = true
    this.#end(ended)
  }
}
