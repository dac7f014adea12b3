import type { Writable } from 'node:stream'
import type { Outgoing } from '../channel/channel.ts'
import type { OneWayMessages } from '../channel/one-way-messages.ts'

/**
 * Writes messages to a process, one on each line. Limits what waits, so that a process that does not read cannot fill
 * the gateway's memory.
 */
export class LineWriter {
  readonly #to: Writable
  readonly #mostUnread: number
  readonly #oneWay: OneWayMessages
  #waiting = ''
  /** Those of the waiting messages that get no reply. */
  #waitingOneWay: Outgoing[] = []

  constructor(to: Writable, mostUnread: number, oneWay: OneWayMessages) {
    this.#to = to
    this.#mostUnread = mostUnread
    this.#oneWay = oneWay
  }

  /** Adds a message. Returns false if it does not fit and cannot be dropped. */
  add(message: Outgoing): boolean {
    if (message.id === undefined) return this.#addOneWay(message)
    const unread = this.#to.writableLength + this.#waiting.length
    // If nothing else waits, one message may have any length that calls may have.
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

  /** Writes all messages of one turn of the event loop together, because each write costs half as much as a call. */
  flush(): void {
    const lines = this.#waiting
    const oneWay = this.#waitingOneWay
    this.#waiting = ''
    if (lines === '') return
    // Most messages are ASCII, and writing those as latin1 saves more time than the check takes.
    const encoding = Buffer.byteLength(lines) === lines.length ? 'latin1' : 'utf8'
    if (oneWay.length === 0) return void this.#to.write(lines, encoding)
    this.#waitingOneWay = []
    this.#to.write(lines, encoding, () => {
      for (const admitted of oneWay) this.#oneWay.release(admitted)
    })
  }
}
