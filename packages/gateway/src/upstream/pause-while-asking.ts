import type { FairQueue, Ticket } from '../admission/fair-queue.ts'
import type { Notification } from '../protocol/messages.ts'
import type { ServerRequest } from './attempt.ts'
import type { StreamEvent } from './channel/channel.ts'
import type { Ask, AskAnswer, UpstreamRequest } from './connection/upstream-request.ts'

/** Makes a request release its slot while a question from the server is waiting for its answer. */
export function pauseWhileAsking(request: ServerRequest, queue: FairQueue, ticket: Ticket): ServerRequest {
  const { client } = request
  if (client?.ask === undefined || client.caller === undefined) return request
  return { ...request, client: new PausingClient(client, client.caller, { queue, ticket }) }
}

type RequestClient = NonNullable<UpstreamRequest['client']>
type Caller = NonNullable<RequestClient['caller']>

class PausingClient implements RequestClient {
  readonly caller: Caller
  readonly #behind: RequestClient
  readonly #at: { readonly queue: FairQueue; readonly ticket: Ticket }
  #questions = 0

  constructor(
    client: RequestClient,
    caller: Caller,
    at: { readonly queue: FairQueue; readonly ticket: Ticket },
  ) {
    this.#behind = client
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
    // A request that was cancelled while it waited for a slot must not send an answer.
    return 'result' in answer && (ticket.isCancelled || ticket.isReleased) ? GONE : answer
  }
}

const GONE: AskAnswer = {
  error: { code: -32603, message: 'the call was cancelled, so its caller no longer waits for the answer' },
}
const NOBODY: AskAnswer = { error: { code: -32603, message: 'no client can be asked' } }
