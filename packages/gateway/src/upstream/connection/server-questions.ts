import { Backlog } from '../../admission/backlog.ts'
import { LIMITS } from '../../admission/limits.ts'
import { type Id, INTERNAL_ERROR, type Request, RPC, type RpcError } from '../../protocol/messages.ts'
import { writeJson } from '../../protocol/parse-json.ts'
import type { Outgoing } from '../channel/channel.ts'
import { canBeAsked } from './of-its-own-accord.ts'
import { deadlineOf, type PendingCall } from './pending-calls.ts'
import { answerRoots, type Roots } from './roots.ts'
import type { Screen } from './screen-questions.ts'
import { ANSWER_HELD_BACK, type Ask, type AskAnswer, type OnFault } from './upstream-request.ts'
import type { WhomMeant } from './whom-meant.ts'

export interface QuestionMeans {
  readonly meant: WhomMeant
  /** What the server hears when it asks for roots. */
  readonly roots: Roots
  readonly screen: Screen | undefined
  readonly onFault: OnFault | undefined
}

/** What a server of the older era asks while it is at work, put to whoever is behind the call that made it ask. */
export class ServerQuestions {
  readonly #meant: WhomMeant
  readonly #roots: Roots
  readonly #screen: Screen | undefined
  readonly #onFault: OnFault | undefined
  readonly #open = new Backlog(LIMITS.questions.ofServer)

  constructor({ meant, roots, screen, onFault }: QuestionMeans) {
    this.#meant = meant
    this.#onFault = onFault
    this.#roots = roots
    this.#screen = screen
  }

  /** The answer as it goes to the server, and what is said instead where there is no room for it. */
  async answer(request: Request, relatedTo: Id | undefined): Promise<Pick<Outgoing, 'text' | 'otherwise'>> {
    const answer = await this.#findAnswer(request, relatedTo).catch((error: unknown): AskAnswer => {
      this.#onFault?.(error)
      return { error: INTERNAL_ERROR }
    })
    const write = (said: AskAnswer): string => writeJson({ jsonrpc: '2.0', id: request.id, ...said })
    return { text: write(answer), otherwise: () => write({ error: NO_ROOM }) }
  }

  async #findAnswer({ method, params }: Request, relatedTo: Id | undefined): Promise<AskAnswer> {
    // Nobody need know of it, least of all by its name, which could be any text.
    if (!canBeAsked(method)) return { error: NO_SUCH_METHOD }
    if (method === 'ping') return { result: {} }
    if (method === 'roots/list' && this.#roots !== 'client') return answerRoots(this.#roots)
    const call = this.#whomToAsk(method, relatedTo)
    if (call === undefined)
      return method === 'roots/list' ? answerRoots([]) : { error: this.#explainNobody() }
    const screened = params === undefined ? undefined : this.#screen?.asked(params)
    // Not awaited where it need not be: the server may go on to answer, and the question comes first.
    const isSlow = screened instanceof Promise
    const shown = this.#screen === undefined ? params : isSlow ? await screened : screened
    if (params !== undefined && shown === undefined) return { error: HELD_BACK }
    // Meanwhile the call may have ended.
    if (isSlow && !this.#meant.askable().includes(call)) return { error: this.#explainNobody() }
    return this.#ask(call, { method, ...(shown === undefined ? {} : { params: shown }) })
  }

  #whomToAsk(method: string, relatedTo: Id | undefined): PendingCall | undefined {
    // What somebody's roots are, they can say in any call of theirs.
    const isClear = method === 'roots/list' && this.#meant.findOwner(relatedTo) !== undefined
    const call = this.#meant.callOf(relatedTo) ?? (isClear ? this.#meant.askable()[0] : undefined)
    return call?.request.behind?.ask === undefined ? undefined : call
  }

  async #ask(call: PendingCall, question: Ask): Promise<AskAnswer> {
    const length = writeJson(question.params ?? {}).length
    if (!this.#open.take(length)) return { error: TOO_MANY_QUESTIONS }
    if (call.questions === 0) call.askedAt = performance.now()
    call.questions += 1 // and the clock stands still: people take their time
    call.heard = 'question'
    try {
      const answer = (await call.request.behind?.ask?.(question)) ?? ANSWER_HELD_BACK
      // An answer to a server in the middle of a call is external communication just as the call itself is.
      return (await call.request.objectTo?.()) === undefined ? answer : ANSWER_HELD_BACK
    } finally {
      this.#open.leave(length)
      call.questions -= 1
      call.deadline = deadlineOf(call.request)
      if (call.questions === 0) call.latest += performance.now() - call.askedAt
    }
  }

  #explainNobody(): RpcError {
    const why =
      this.#meant.askable().length > 0
        ? 'it is not certain whose call this is about, because others use this server, or did within the last minutes; in the config, "isolation": "session" gives every session a process of its own'
        : 'no call is in progress'
    return { code: RPC.internal, message: `nobody can be asked: ${why}` }
  }
}

const NO_SUCH_METHOD: RpcError = { code: RPC.methodNotFound, message: 'Method not found' }

const HELD_BACK: RpcError = {
  code: RPC.internal,
  message: 'the question was held back: it has something in it that nobody is to be shown',
}

const TOO_MANY_QUESTIONS: RpcError = {
  code: RPC.internal,
  message: 'too many questions wait for an answer already',
}

const NO_ROOM: RpcError = {
  code: RPC.internal,
  message: 'there is an answer, but too much waits already that you have not read',
}
