import type { FairQueue, Ticket } from '../admission/fair-queue.ts'
import type { Notification } from '../protocol/messages.ts'
import type { ServerRequest } from './attempt.ts'
import type { StreamEvent } from './channel/channel.ts'
import type { Ask, AskAnswer, UpstreamRequest } from './connection/upstream-request.ts'

/** The request as it is, but for its slot: others have that while a question of the server waits for an answer. */
export function restWhileAsked(request: ServerRequest, queue: FairQueue, ticket: Ticket): ServerRequest {
  const { behind } = request
  if (behind?.ask === undefined || behind.caller === undefined) return request
  return { ...request, behind: new Resting(behind, behind.caller, { queue, ticket }) }
}

type Behind = NonNullable<UpstreamRequest['behind']>
type Caller = NonNullable<Behind['caller']>

class Resting implements Behind {
  readonly caller: Caller
  readonly #behind: Behind
  readonly #at: { readonly queue: FairQueue; readonly ticket: Ticket }
  #questions = 0

  constructor(behind: Behind, caller: Caller, at: { readonly queue: FairQueue; readonly ticket: Ticket }) {
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
    const { queue, ticket } = this.#at
    this.#questions += 1
    queue.pause(ticket)
    let answer = NOBODY
    try {
      answer = (await this.#behind.ask?.(ask)) ?? NOBODY
    } finally {
      this.#questions -= 1
      if (this.#questions === 0) await queue.resume(ticket)
    }
    // A request that was called off while it waited for its slot has nothing more to say.
    return 'result' in answer && (ticket.isCancelled || ticket.isReleased) ? GONE : answer
  }
}

const GONE: AskAnswer = { error: { code: -32603, message: 'nobody waits for the answer any more' } }
const NOBODY: AskAnswer = { error: { code: -32603, message: 'nobody can be asked' } }
