import { isJsonObject, type Json, RPC } from '../../protocol/messages.ts'
import { writeJson } from '../../protocol/parse-json.ts'
import type { Ask, AskAnswer } from '../../upstream/connection/upstream-request.ts'
import { MOST_ASKED, MOST_QUESTIONS } from '../wire/to-client.ts'

interface Question {
  readonly ask: Ask
  readonly length: number
  readonly resolve: (answer: AskAnswer) => void
}

interface Added {
  readonly length: number
  readonly answer: Promise<AskAnswer>
}

/** One call's questions that the client has not answered yet. */
export class OpenQuestions {
  readonly #questions = new Map<string, Question>()
  #asked = 0
  /** The total length of the open questions, in characters. They stay in memory. */
  length = 0

  get size(): number {
    return this.#questions.size
  }

  /** Adds a question. Returns undefined if there would be too many open questions, or too much text. */
  add(ask: Ask): Added | undefined {
    const { length } = writeJson(ask)
    if (this.#questions.size >= MOST_QUESTIONS || this.length + length > MOST_ASKED) return undefined
    const answer = new Promise<AskAnswer>(resolve => {
      this.#questions.set(`ask-${++this.#asked}`, { ask, length, resolve })
    })
    this.length += length
    return { length, answer }
  }

  /** Receives the client's answers to some or all of the questions. */
  answer(responses: unknown): void {
    for (const [key, response] of Object.entries(isJsonObject(responses) ? responses : {})) {
      const question = this.#questions.get(key)
      if (question === undefined || !isJsonObject(response)) continue
      this.#questions.delete(key)
      this.length -= question.length
      question.resolve({ result: response })
    }
  }

  drop(message: string): void {
    for (const { resolve } of this.#questions.values()) resolve({ error: { code: RPC.internal, message } })
  }

  /** Returns the result that asks the client to repeat the call with answers and this state. */
  inputRequired(requestState: string): Json {
    const requests = [...this.#questions].map(([key, { ask }]) => [key, withMode(ask)])
    return { resultType: 'input_required', inputRequests: Object.fromEntries(requests), requestState }
  }
}

/**
 * Adapts a legacy server's question for a modern client. Legacy servers can omit the mode `form`, and they give an id
 * to questions that open a URL.
 */
function withMode({ method, params }: Ask): Json {
  if (params === undefined) return { method }
  if (method !== 'elicitation/create') return { method, params }
  const { elicitationId: _id, ...rest } = params
  return { method, params: { mode: 'form', ...rest } }
}
