import type { Id } from '../../protocol/messages.ts'
import type { Reply } from './upstream-request.ts'

interface Way {
  callOff(id: Id, reason: string | undefined): void
  keepUntilDone(id: Id, letGo: () => void): void
}

/** A call in progress that can be called off. */
export class Sent {
  readonly reply: Promise<Reply>
  readonly #connection: Way
  readonly #id: Id

  constructor(connection: Way, id: Id, reply: Promise<Reply>) {
    this.#connection = connection
    this.#id = id
    this.reply = reply
  }

  cancel(reason?: string): void {
    this.#connection.callOff(this.#id, reason)
  }

  /** Calls back as soon as the server is done with it, as far as that can be known: at once, unless it was called off. */
  whenDone(letGo: () => void): void {
    this.#connection.keepUntilDone(this.#id, letGo)
  }
}
