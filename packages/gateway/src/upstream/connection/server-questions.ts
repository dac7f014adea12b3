import { Backlog } from '../../admission/backlog.ts'
import { LIMITS } from '../../admission/limits.ts'
import { type Id, INTERNAL_ERROR, type Request, RPC, type RpcError } from '../../protocol/messages.ts'
import { writeJson } from '../../protocol/parse-json.ts'
import type { Outgoing } from '../channel/channel.ts'
import type { RecipientFinder } from './find-recipient.ts'
import { deadlineOf, type PendingCall } from './pending-calls.ts'
import { answerRoots, type Roots } from './roots.ts'
import type { Screen } from './screen-questions.ts'
import { isQuestion } from './server-methods.ts'
import { ANSWER_HELD_BACK, type Ask, type AskAnswer, type OnFault } from './upstream-request.ts'

export interface ServerQuestionsDeps {
  readonly recipients: RecipientFinder
  /** Answers the server when it asks for roots. */
  readonly roots: Roots
  readonly screen: Screen | undefined
  readonly onFault: OnFault | undefined
}

/** Passes questions from a legacy server to the client whose call caused them. */
export class ServerQuestions {
  readonly #recipients: RecipientFinder
  readonly #roots: Roots
  readonly #screen: Screen | undefined
  readonly #onFault: OnFault | undefined
  readonly #open = new Backlog(LIMITS.questions.ofServer)

  constructor({ recipients, roots, screen, onFault }: ServerQuestionsDeps) {
    this.#recipients = recipients
    this.#onFault = onFault
    this.#roots = roots
    this.#screen = screen
  }

  /** Returns the answer for the server, and a shorter answer in case the first does not fit. */
  async answer(request: Request, relatedTo: Id | undefined): Promise<Pick<Outgoing, 'text' | 'fallback'>> {
    const answer = await this.#findAnswer(request, relatedTo).catch((error: unknown): AskAnswer => {
      this.#onFault?.(error)
      return { error: INTERNAL_ERROR }
    })
    const write = (said: AskAnswer): string => writeJson({ jsonrpc: '2.0', id: request.id, ...said })
    return { text: write(answer), fallback: () => write({ error: NO_ROOM }) }
  }

  async #findAnswer({ method, params }: Request, relatedTo: Id | undefined): Promise<AskAnswer> {
    // An unknown method's name is neither logged nor shown to clients, because it could be any text.
    if (!isQuestion(method)) return { error: NO_SUCH_METHOD }
    if (method === 'ping') return { result: {} }
    if (method === 'roots/list' && this.#roots !== 'client') return answerRoots(this.#roots)
    const call = this.#callToAsk(method, relatedTo)
    if (call === undefined)
      return method === 'roots/list' ? answerRoots([]) : { error: this.#explainNoClient() }
    const screened = params === undefined ? undefined : this.#screen?.checkQuestion(params)
    // Awaits the check only if it is asynchronous: the question must reach the client before the server's answer does.
    const isSlow = screened instanceof Promise
    const shown = this.#screen === undefined ? params : isSlow ? await screened : screened
    if (params !== undefined && shown === undefined) return { error: QUESTION_HELD_BACK }
    // The call may have ended while the question was checked.
    if (isSlow && !this.#recipients.askable().includes(call)) return { error: this.#explainNoClient() }
    return this.#ask(call, { method, ...(shown === undefined ? {} : { params: shown }) })
  }

  #callToAsk(method: string, relatedTo: Id | undefined): PendingCall | undefined {
    // A client has the same roots in all its calls. If there is only one caller, any of that caller's calls will do.
    const isClear = method === 'roots/list' && this.#recipients.findOwner(relatedTo) !== undefined
    const call = this.#recipients.callOf(relatedTo) ?? (isClear ? this.#recipients.askable()[0] : undefined)
    return call?.request.client?.ask === undefined ? undefined : call
  }

  async #ask(call: PendingCall, question: Ask): Promise<AskAnswer> {
    const length = writeJson(question.params ?? {}).length
    if (!this.#open.take(length)) return { error: TOO_MANY_QUESTIONS }
    if (call.questions === 0) call.askedAt = performance.now()
    call.questions += 1 // Stops the timeout, because a person may need longer.
    call.delivered = 'question'
    try {
      const answer = (await call.request.client?.ask?.(question)) ?? ANSWER_HELD_BACK
      // Answering a server sends data out, just as the call itself does, so the verdict is checked again.
      return (await call.request.objectTo?.()) === undefined ? answer : ANSWER_HELD_BACK
    } finally {
      this.#open.leave(length)
      call.questions -= 1
      call.deadline = deadlineOf(call.request)
      if (call.questions === 0) call.latest += performance.now() - call.askedAt
    }
  }

  #explainNoClient(): RpcError {
    const why =
      this.#recipients.askable().length > 0
        ? 'several callers are using this server, or were in the last few minutes, so the gateway cannot tell which call the question belongs to; with "isolation": "session" in the config, each session gets its own process'
        : 'no call is in progress'
    return { code: RPC.internal, message: `no client can be asked: ${why}` }
  }
}

const NO_SUCH_METHOD: RpcError = { code: RPC.methodNotFound, message: 'Method not found' }

const QUESTION_HELD_BACK: RpcError = {
  code: RPC.internal,
  message: 'the gateway held back the question, because it contains something that clients must not see',
}

const TOO_MANY_QUESTIONS: RpcError = {
  code: RPC.internal,
  message: 'too many questions from this server are waiting for an answer; answer or cancel some first',
}

const NO_ROOM: RpcError = {
  code: RPC.internal,
  message: 'the answer is ready, but there is no room for it: read the waiting messages first',
}
