import type { Writable } from 'node:stream'
import type { Outgoing } from '../channel/channel.ts'
import type { OneWayMessages } from '../channel/one-way-messages.ts'

/**
 * Writes messages to a process, one per line. The amount of text that waits to be written is limited, so a process that
 * does not read cannot fill the gateway's memory.
 */
export class LineWriter {
  readonly #to: Writable
  readonly #mostUnread: number
  readonly #oneWay: OneWayMessages
  #waiting = ''
  /** One-way messages among those that wait to be written. */
  #waitingOneWay: Outgoing[] = []

  constructor(to: Writable, mostUnread: number, oneWay: OneWayMessages) {
    this.#to = to
    this.#mostUnread = mostUnread
    this.#oneWay = oneWay
  }

  /** Adds a message. Returns false if the message does not fit and cannot be dropped. */
  add(message: Outgoing): boolean {
    if (message.id === undefined) return this.#addOneWay(message)
    const unread = this.#to.writableLength + this.#waiting.length
    // If no other message is waiting, a message of any permitted length is accepted.
    const hasRoom = unread === 0 || unread + message.text.length <= this.#mostUnread
    if (hasRoom) this.#write(message.text)
    return hasRoom
  }

  #addOneWay(message: Outgoing): boolean {
    const admitted = this.#oneWay.admit(message)
    if (admitted === 'unread') return false
    if (admitted === undefined) return true
    this.#waitingOneWay.push(admitted)
    this.#write(admitted.text)
    return true
  }

  #write(text: string): void {
    if (this.#waiting === '') setImmediate(() => this.flush())
    this.#waiting += `${text}\n`
  }

  /**
   * Writes all messages from one turn of the event loop at once, because a write costs half as much as a whole call.
   */
  flush(): void {
    const lines = this.#waiting
    const oneWay = this.#waitingOneWay
    this.#waiting = ''
    if (lines === '') return
    // Most messages are pure ASCII. Writing these as latin1 saves more time than checking for it takes.
    const encoding = Buffer.byteLength(lines) === lines.length ? 'latin1' : 'utf8'
    if (oneWay.length === 0) return void this.#to.write(lines, encoding)
    this.#waitingOneWay = []
    this.#to.write(lines, encoding, () => {
      for (const admitted of oneWay) this.#oneWay.release(admitted)
    })
  }
}
