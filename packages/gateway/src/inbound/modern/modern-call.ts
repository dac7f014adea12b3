import { explainUnaskable, refuseAsk } from '../../exchange/askable.ts'
import { type Caller, type Exchange, nextRequestId, type QuestionResult } from '../../exchange/exchange.ts'
import type { Answer, Surface } from '../../exchange/surface.ts'
import type { Id, Json, Notification, Request } from '../../protocol/messages.ts'
import { writeJson } from '../../protocol/parse-json.ts'
import type { Ask } from '../../upstream/connection/upstream-request.ts'
import { isRequestedLog, TOO_MANY_QUESTIONS } from '../wire/to-client.ts'
import { OpenQuestions } from './open-questions.ts'

/** Where a call's progress and answer are sent: an HTTP response, or the pipe to a stdio client. */
export interface Sink {
  notify(notification: Notification): void
  finish(answer: Answer): void
}

/**
 * The prefix of all request states that the gateway itself creates. Other states belong to servers and pass through.
 */
export const STATE_PREFIX = 'hg1.'

/** Keeps parked calls until their clients return with answers. */
interface Parking {
  createState(): string
  park(call: ModernCall, surface: Surface): void
  /** Reports that a parked call has grown by a question or an answer of `length` characters. */
  grow(call: ModernCall, length: number): void
}

interface CallContext {
  readonly caller: Caller
  readonly sink: Sink
  readonly surface: Surface
  readonly parked: Parking
}

/**
 * A modern client's call. Such a client cannot be asked during a call. If a legacy server asks a question, the client
 * gets `input_required` and the call is parked. The call continues when the client repeats it with answers.
 */
export class ModernCall implements Exchange {
  readonly requestId = nextRequestId()
  readonly caller: Caller
  readonly id: Id
  readonly method: string
  readonly params: Json | undefined
  /** Identifies the call while it is parked. The call gets a new state each time it is parked. */
  state = ''
  readonly #surface: Surface
  readonly #parking: Parking
  /** Created when the server asks its first question, because most servers never ask. */
  #questions: OpenQuestions | undefined
  readonly #cancelListeners: ((reason?: string) => void)[] = []
  #sink: Sink | undefined
  /** The server's answer, if it arrived while no client was waiting for it. */
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

  /** The number of characters that stay in memory while the call is parked. */
  get length(): number {
    return (this.#questions?.length ?? 0) + (this.params === undefined ? 0 : writeJson(this.params).length)
  }

  get isAnswered(): boolean {
    return this.#isAnswered
  }

  notify(notification: Notification): void {
    if (isRequestedLog(notification, this.caller.envelope.logLevel)) this.#sink?.notify(notification)
  }

  ask(ask: Ask): Promise<QuestionResult> {
    const error = explainUnaskable(ask, this.caller.envelope.capabilities)
    if (error !== undefined) return Promise.resolve(refuseAsk(ask, error))
    this.#questions ??= new OpenQuestions()
    const added = this.#questions.add(ask)
    if (added === undefined) return Promise.resolve({ error: TOO_MANY_QUESTIONS })
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

  /** Cancels the call because its client has disconnected. A parked call continues. */
  cancelUnlessParked(reason: string): void {
    if (!this.isParked) this.cancel(reason)
  }

  finish(answer: Answer): void {
    if (this.#isAnswered) return
    this.#isAnswered = true
    // Removes the listeners: they would keep the server's whole reply in memory until the client has read the answer.
    this.#cancelListeners.length = 0
    this.#questions?.drop('the call ended')
    const sink = this.#sink
    this.#sink = undefined
    if (sink !== undefined) return sink.finish(answer)
    this.#answer = answer
    this.#parking.grow(this, lengthOf(answer))
  }

  /**
   * Continues a call that its client repeated. The client's answers go to the server, and further output goes to
   * `sink`.
   */
  resume(sink: Sink, responses: unknown): void {
    if (this.#answer !== undefined) return sink.finish(this.#answer)
    this.#sink = sink
    this.#questions?.answer(responses)
    if (this.#questions !== undefined && this.#questions.size > 0) this.#parkSoon()
  }

  /** Parks the call after a short delay, so that questions that arrive together are sent together. */
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
