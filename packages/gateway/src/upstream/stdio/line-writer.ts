import type { Writable } from 'node:stream'
import type { Asides } from '../channel/asides.ts'
import type { Outgoing } from '../channel/channel.ts'

/** Writes messages to a process, one a line. A process that does not read what it is told must not fill our memory. */
export class LineWriter {
  readonly #to: Writable
  readonly #mostUnread: number
  readonly #asides: Asides
  #waiting = ''
  /** Those among the waiting that are no calls. */
  #waitingAsides: Outgoing[] = []

  constructor(to: Writable, mostUnread: number, asides: Asides) {
    this.#to = to
    this.#mostUnread = mostUnread
    this.#asides = asides
  }

  /** False when there is no room for it, and it cannot be left out. */
  add(message: Outgoing): boolean {
    if (message.id === undefined) return this.#addAside(message)
    const unread = this.#to.writableLength + this.#waiting.length
    // A single one is as long as calls may be.
    const hasRoom = unread === 0 || unread + message.text.length <= this.#mostUnread
    if (hasRoom) this.#write(message.text)
    return hasRoom
  }

  #addAside(message: Outgoing): boolean {
    const aside = this.#asides.admit(message)
    if (aside === 'not-listening') return false
    if (aside === undefined) return true
    this.#waitingAsides.push(aside)
    this.#write(aside.text)
    return true
  }

  #write(text: string): void {
    if (this.#waiting === '') setImmediate(() => this.flush())
    this.#waiting += `${text}\n`
  }

  /** What one turn of the event loop brings leaves in one write: each costs as much as half of a call. */
  flush(): void {
    const lines = this.#waiting
    const asides = this.#waitingAsides
    this.#waiting = ''
    if (lines === '') return
    // Most is ASCII, and the shorter way to write that is worth a look at the length.
    const encoding = Buffer.byteLength(lines) === lines.length ? 'latin1' : 'utf8'
    if (asides.length === 0) return void this.#to.write(lines, encoding)
    this.#waitingAsides = []
    this.#to.write(lines, encoding, () => {
      for (const aside of asides) this.#asides.leave(aside)
    })
  }
}
