import { type Asked, type Caller, type Exchange, nextRequestId } from '../../exchange/exchange.ts'
import type { Answer, Surface } from '../../exchange/surface.ts'
import {
  type Id,
  isJsonObject,
  type Json,
  type Notification,
  type Request,
  RPC,
} from '../../protocol/messages.ts'
import { writeJson } from '../../protocol/parse-json.ts'
import type { Ask, AskAnswer } from '../../upstream/connection/upstream-request.ts'
import {
  cannotBeAsked,
  MOST_ASKED,
  MOST_QUESTIONS,
  mayHear,
  TOO_MUCH,
  type Unaskable,
} from '../wire/to-client.ts'

/** Where a call's progress and its answer go: one HTTP response, or the pipe of a stdio client. */
export interface Sink {
  notify(notification: Notification): void
  finish(answer: Answer): void
}

/** Our own request states; others are a server's and pass through. */
export const STATE_PREFIX = 'hg1.'

interface Question {
  readonly ask: Ask
  readonly length: number
  readonly resolve: (answer: AskAnswer) => void
}

/** Where calls wait for their client to come back. */
interface Parking {
  createState(): string
  park(call: ModernCall, surface: Surface): void
  /** There is more of a call while it waits: a question, or its answer, of so many characters. */
  grow(call: ModernCall, length: number): void
}

interface Surroundings {
  readonly caller: Caller
  readonly sink: Sink
  readonly surface: Surface
  readonly parked: Parking
}

/** Most calls are never asked anything. */
const NO_QUESTIONS: Map<string, Question> = new Map()

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
  #questions: Map<string, Question> = NO_QUESTIONS
  readonly #cancelListeners: ((reason?: string) => void)[] = []
  #sink: Sink | undefined
  /** Kept only while nobody is there to take it. */
  #answer: Answer | undefined
  #isAnswered = false
  #isCancelled = false
  #isParking = false
  #asked = 0
  #askedLength = 0

  constructor(request: Request, { caller, sink, surface, parked }: Surroundings) {
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

  /** Of what stays in our memory while the call is parked, as text. */
  get length(): number {
    return this.#askedLength + (this.params === undefined ? 0 : writeJson(this.params).length)
  }

  get isAnswered(): boolean {
    return this.#isAnswered
  }

  notify(notification: Notification): void {
    if (mayHear(notification, this.caller.envelope.logLevel)) this.#sink?.notify(notification)
  }

  ask(ask: Ask): Promise<Asked> {
    const error = cannotBeAsked(ask, this.caller.envelope.capabilities)
    if (error !== undefined) return Promise.resolve(refuseAsk(ask, error))
    const length = writeJson(ask).length
    if (this.#questions.size >= MOST_QUESTIONS || this.#askedLength + length > MOST_ASKED)
      return Promise.resolve({ error: TOO_MUCH })
    return new Promise(resolve => {
      if (this.#questions === NO_QUESTIONS) this.#questions = new Map()
      this.#questions.set(`ask-${++this.#asked}`, { ask, length, resolve })
      this.#askedLength += length
      if (this.isParked) this.#parking.grow(this, length)
      else this.#parkSoon()
    })
  }

  onCancel(listener: (reason?: string) => void): void {
    if (this.#isCancelled) listener()
    else this.#cancelListeners.push(listener)
  }

  cancel(reason?: string): void {
    if (this.#isCancelled) return
    this.#isCancelled = true
    for (const listener of this.#cancelListeners) listener(reason)
    this.#dropQuestions('the call was cancelled')
  }

  #dropQuestions(message: string): void {
    for (const { resolve } of this.#questions.values()) resolve({ error: { code: RPC.internal, message } })
  }

  /** The client is gone; a call that it is to come back to goes on. */
  cancelUnlessParked(reason: string): void {
    if (!this.isParked) this.cancel(reason)
  }

  finish(answer: Answer): void {
    if (this.#isAnswered) return
    this.#isAnswered = true
    // They know the attempts, which know the server's whole reply; the call lives until its answer has been read.
    this.#cancelListeners.length = 0
    this.#dropQuestions('the call ended')
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
    for (const [key, response] of Object.entries(isJsonObject(responses) ? responses : {})) {
      const question = this.#questions.get(key)
      if (question === undefined || !isJsonObject(response)) continue
      this.#questions.delete(key)
      this.#askedLength -= question.length
      question.resolve({ result: response })
    }
    if (this.#questions.size > 0) this.#parkSoon()
  }

  /** Questions that come together go out together. */
  #parkSoon(): void {
    if (this.#isParking) return
    this.#isParking = true
    setImmediate(() => {
      this.#isParking = false
      const sink = this.#sink
      if (sink === undefined || this.#isAnswered) return
      this.#sink = undefined
      this.state = this.#parking.createState()
      this.#parking.park(this, this.#surface)
      sink.finish({ result: this.#inputRequired() })
    })
  }

  #inputRequired(): Json {
    const requests = [...this.#questions].map(([key, { ask }]) => [key, withMode(ask)])
    return {
      resultType: 'input_required',
      inputRequests: Object.fromEntries(requests),
      requestState: this.state,
    }
  }
}

/**
 * A call that needs what the client cannot do ends with the error that says so. What nobody's client can do no call needs,
 * so that there it goes on.
 */
function refuseAsk({ params }: Ask, { capability, ...error }: Unaskable): Asked {
  if (capability === undefined) return { error }
  const feature = capability === 'elicitation' ? { [params?.mode === 'url' ? 'url' : 'form']: {} } : {}
  const data = { requiredCapabilities: { [capability]: feature } }
  return { error, ending: { code: RPC.missingCapability, message: error.message, data } }
}

function lengthOf(answer: Answer): number {
  if ('bytes' in answer) return answer.bytes.length
  return 'written' in answer ? answer.written.length : writeJson(answer).length
}

/** Older servers leave the mode of a form out, and number their questions by URL. */
function withMode({ method, params }: Ask): Json {
  if (params === undefined) return { method }
  if (method !== 'elicitation/create') return { method, params }
  const { elicitationId: _id, ...rest } = params
  return { method, params: { mode: 'form', ...rest } }
}
