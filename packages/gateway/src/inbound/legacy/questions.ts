import { randomUUID } from 'node:crypto'
import { type Id, type Response, RPC } from '../../protocol/messages.ts'
import { writeJson } from '../../protocol/parse-json.ts'
import type { Ask, AskAnswer } from '../../upstream/connection/upstream-request.ts'
import { MOST_ASKED, MOST_QUESTIONS, TOO_MANY_QUESTIONS } from '../wire/to-client.ts'

interface Question {
  readonly call: object
  readonly length: number
  readonly resolve: (answer: AskAnswer) => void
}

/** How many questions of one call are open. */
interface OpenOfCall {
  readonly ids: Set<Id>
  length: number
}

interface Asking {
  /** The call to which the question belongs; compared by identity. */
  readonly call: object
  readonly send: (text: string) => void
}

/** The questions that a legacy client has not answered yet. */
export class Questions {
  readonly #open = new Map<Id, Question>()
  readonly #ofCall = new Map<object, OpenOfCall>()
  readonly #timeoutMs: number

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs
  }

  ask(ask: Ask, { call, send }: Asking): Promise<AskAnswer> {
    const own = this.#ofCall.get(call) ?? { ids: new Set(), length: 0 }
    if (own.ids.size >= MOST_QUESTIONS) return Promise.resolve({ error: TOO_MANY_QUESTIONS })
    // The id must be hard to guess, because knowing it is enough to answer or withdraw the question.
    const id = `hg-${randomUUID()}`
    const text = writeJson({ jsonrpc: '2.0', id, ...ask })
    if (own.length + text.length > MOST_ASKED) return Promise.resolve({ error: TOO_MANY_QUESTIONS })
    this.#ofCall.set(call, own)
    own.ids.add(id)
    own.length += text.length
    return new Promise(resolve => {
      const timer = setTimeout(
        () => this.#settle(id, failed('the client did not answer in time')),
        this.#timeoutMs,
      )
      timer.unref()
      this.#open.set(id, {
        call,
        length: text.length,
        resolve: answer => {
          clearTimeout(timer)
          resolve(answer)
        },
      })
      send(text)
    })
  }

  /** Receives an answer. An answer to an unknown or already answered question is ignored. */
  receive({ id, error, result }: Response): void {
    if (id === null) return
    if (error !== undefined) this.#settle(id, { error })
    else if (result !== undefined) this.#settle(id, { result })
  }

  /** Settles the remaining open questions of a call that has ended. */
  end(call: object): void {
    for (const id of this.#ofCall.get(call)?.ids ?? []) this.#settle(id, failed('the call ended'))
  }

  close(): void {
    for (const id of [...this.#open.keys()]) this.#settle(id, failed('the session ended'))
  }

  #settle(id: Id, answer: AskAnswer): void {
    const question = this.#open.get(id)
    if (question === undefined) return
    this.#open.delete(id)
    this.#forget(id, question)
    question.resolve(answer)
  }

  #forget(id: Id, { call, length }: Question): void {
    const own = this.#ofCall.get(call)
    if (own === undefined) return
    own.ids.delete(id)
    own.length -= length
    if (own.ids.size === 0) this.#ofCall.delete(call)
  }
}

function failed(message: string): AskAnswer {
  return { error: { code: RPC.internal, message } }
}
