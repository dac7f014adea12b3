import { type Caller, type Exchange, nextRequestId, type QuestionResult } from '../../exchange/exchange.ts'
import type { Answer, Surface } from '../../exchange/surface.ts'
import type { Id, Json, Notification, Request } from '../../protocol/messages.ts'
import { writeJson } from '../../protocol/parse-json.ts'
import type { Ask } from '../../upstream/connection/upstream-request.ts'
import { cannotBeAsked, mayHear, refuseAsk, TOO_MUCH } from '../wire/to-client.ts'
import { OpenQuestions } from './open-questions.ts'

/** Where a call's progress and its answer go: one HTTP response, or the pipe of a stdio client. */
export interface Sink {
  notify(notification: Notification): void
  finish(answer: Answer): void
}

/** Our own request states; others are a server's and pass through. */
export const STATE_PREFIX = 'hg1.'

/** Where calls wait for their client to come back. */
interface Parking {
  createState(): string
  park(call: ModernCall, surface: Surface): void
  /** There is more of a call while it waits: a question, or its answer, of so many characters. */
  grow(call: ModernCall, length: number): void
}

interface CallContext {
  readonly caller: Caller
  readonly sink: Sink
  readonly surface: Surface
  readonly parked: Parking
}

/**
 * A call of a modern client. Such a client cannot be asked in the middle of a call: when an older server asks, the
 * client is answered `input_required`, the call is parked, and goes on when the client repeats it with answers.
 */
export class ModernCall implements Exchange {
  readonly requestId = nextRequestId()
  readonly caller: Caller
  readonly id: Id
  readonly method: string
  readonly params: Json | undefined
  /** Names the call while it is parked; another one each time. */
  state = ''
  readonly #surface: Surface
  readonly #parking: Parking
  /** Undefined for most calls: they ask nothing. */
  #questions: OpenQuestions | undefined
  readonly #cancelListeners: ((reason?: string) => void)[] = []
  #sink: Sink | undefined
  /** Kept only while no client is there to take it. */
  #answer: Answer | undefined
  #isAnswered = false
  #isCancelled = false
  #isParking = false

  constructor(request: Request, { caller, sink, surface, parked }: CallContext) {
    this.caller = caller
    this.id = request.id
    this.method = request.method
    this.params = request.params
    this.#sink = sink
    this.#surface = surface
    this.#parking = parked
  }

  get isParked(): boolean {
    return this.#sink === undefined
  }

  /** Of what stays in memory while the call is parked, as text. */
  get length(): number {
    return (this.#questions?.length ?? 0) + (this.params === undefined ? 0 : writeJson(this.params).length)
  }

  get isAnswered(): boolean {
    return this.#isAnswered
  }

  notify(notification: Notification): void {
    if (mayHear(notification, this.caller.envelope.logLevel)) this.#sink?.notify(notification)
  }

  ask(ask: Ask): Promise<QuestionResult> {
    const error = cannotBeAsked(ask, this.caller.envelope.capabilities)
    if (error !== undefined) return Promise.resolve(refuseAsk(ask, error))
    this.#questions ??= new OpenQuestions()
    const added = this.#questions.add(ask)
    if (added === undefined) return Promise.resolve({ error: TOO_MUCH })
    if (this.isParked) this.#parking.grow(this, added.length)
    else this.#parkSoon()
    return added.answer
  }

  onCancel(listener: (reason?: string) => void): void {
    if (this.#isCancelled) listener()
    else this.#cancelListeners.push(listener)
  }

  cancel(reason?: string): void {
    if (this.#isCancelled) return
    this.#isCancelled = true
    for (const listener of this.#cancelListeners) listener(reason)
    this.#questions?.drop('the call was cancelled')
  }

  /** The client is gone; a call that it will come back to goes on. */
  cancelUnlessParked(reason: string): void {
    if (!this.isParked) this.cancel(reason)
  }

  finish(answer: Answer): void {
    if (this.#isAnswered) return
    this.#isAnswered = true
    // They hold the attempts, which hold the server's whole reply; the call lives until its answer has been read.
    this.#cancelListeners.length = 0
    this.#questions?.drop('the call ended')
    const sink = this.#sink
    this.#sink = undefined
    if (sink !== undefined) return sink.finish(answer)
    this.#answer = answer
    this.#parking.grow(this, lengthOf(answer))
  }

  /** The client repeated the call: its answers go to the server, and this is where the rest goes now. */
  resume(sink: Sink, responses: unknown): void {
    if (this.#answer !== undefined) return sink.finish(this.#answer)
    this.#sink = sink
    this.#questions?.answer(responses)
    if (this.#questions !== undefined && this.#questions.size > 0) this.#parkSoon()
  }

  /** Questions that come together go out together. */
  #parkSoon(): void {
    if (this.#isParking) return
    this.#isParking = true
    setImmediate(() => {
      this.#isParking = false
      const sink = this.#sink
      const questions = this.#questions
      if (sink === undefined || questions === undefined || this.#isAnswered) return
      this.#sink = undefined
      this.state = this.#parking.createState()
      this.#parking.park(this, this.#surface)
      sink.finish({ result: questions.inputRequired(this.state) })
    })
  }
}

function lengthOf(answer: Answer): number {
  if ('bytes' in answer) return answer.bytes.length
  return 'written' in answer ? answer.written.length : writeJson(answer).length
}
