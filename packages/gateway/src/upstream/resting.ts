import type { Gate, Visitor } from '../admission/gate.ts'
import type { Notification } from '../protocol/messages.ts'
import type { ServerRequest } from './attempt.ts'
import type { StreamEvent } from './channel/channel.ts'
import type { Ask, AskAnswer, UpstreamRequest } from './connection/upstream-request.ts'

type Behind = NonNullable<UpstreamRequest['behind']>
type Caller = NonNullable<Behind['caller']>

/** The request as it is, but for its place at the gate: that is others' while a question of the server waits for an answer. */
export function letRest(request: ServerRequest, gate: Gate, visitor: Visitor): ServerRequest {
  const { behind } = request
  if (behind?.ask === undefined || behind.caller === undefined) return request
  return { ...request, behind: new Resting(behind, behind.caller, { gate, visitor }) }
}

class Resting implements Behind {
  readonly caller: Caller
  readonly #behind: Behind
  readonly #at: { readonly gate: Gate; readonly visitor: Visitor }
  #questions = 0

  constructor(behind: Behind, caller: Caller, at: { readonly gate: Gate; readonly visitor: Visitor }) {
    this.#behind = behind
    this.caller = caller
    this.#at = at
  }

  notify(notification: Notification): void {
    this.#behind.notify(notification)
  }

  onStream(event: StreamEvent): void {
    this.#behind.onStream?.(event)
  }

  async ask(ask: Ask): Promise<AskAnswer> {
    const { gate, visitor } = this.#at
    this.#questions += 1
    gate.rest(visitor)
    let answer = NOBODY
    try {
      answer = (await this.#behind.ask?.(ask)) ?? NOBODY
    } finally {
      this.#questions -= 1
      if (this.#questions === 0) await gate.resume(visitor)
    }
    // Whoever was called off while they stood in line again has nothing more to say.
    return 'result' in answer && (visitor.isCancelled === true || visitor.hasLeft) ? GONE : answer
  }
}

const GONE: AskAnswer = { error: { code: -32603, message: 'nobody waits for the answer any more' } }
const NOBODY: AskAnswer = { error: { code: -32603, message: 'nobody can be asked' } }
