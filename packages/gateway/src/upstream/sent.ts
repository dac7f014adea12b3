import type { Id } from '../protocol/messages.ts'
import type { Reply } from './upstream-request.ts'

/** A call in progress that can be called off. */
export class Sent {
  readonly reply: Promise<Reply>
  readonly #connection: { callOff(id: Id, reason: string | undefined): void }
  readonly #id: Id

  constructor(
    connection: { callOff(id: Id, reason: string | undefined): void },
    id: Id,
    reply: Promise<Reply>,
  ) {
    this.#connection = connection
    this.#id = id
    this.reply = reply
  }

  cancel(reason?: string): void {
    this.#connection.callOff(this.#id, reason)
  }
}
