import { type Id, type Response, RPC } from '../protocol/messages.ts'
import { writeJson } from '../protocol/parse-json.ts'
import type { Ask, AskAnswer } from '../upstream/upstream-request.ts'

/** Questions put to a client of the older era that it has not answered yet. */
export class Questions {
  readonly #open = new Map<Id, (answer: AskAnswer) => void>()
  readonly #timeoutMs: number
  #counter = 0

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs
  }

  ask(ask: Ask, send: (text: string) => void): Promise<AskAnswer> {
    const id = `hg-${++this.#counter}`
    return new Promise(resolve => {
      const timer = setTimeout(
        () => this.#settle(id, failed('the client did not answer in time')),
        this.#timeoutMs,
      )
      timer.unref()
      this.#open.set(id, answer => {
        clearTimeout(timer)
        resolve(answer)
      })
      send(writeJson({ jsonrpc: '2.0', id, ...ask }))
    })
  }

  /** An answer to a question that was never asked, or was answered before, is nobody's. */
  receive({ id, error, result }: Response): void {
    if (id === null) return
    if (error !== undefined) this.#settle(id, { error })
    else if (result !== undefined) this.#settle(id, { result })
  }

  close(): void {
    for (const id of [...this.#open.keys()]) this.#settle(id, failed('the session ended'))
  }

  #settle(id: Id, answer: AskAnswer): void {
    const resolve = this.#open.get(id)
    this.#open.delete(id)
    resolve?.(answer)
  }
}

function failed(message: string): AskAnswer {
  return { error: { code: RPC.internal, message } }
}
