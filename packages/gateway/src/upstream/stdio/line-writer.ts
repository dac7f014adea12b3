import type { Writable } from 'node:stream'
import type { Outgoing } from '../channel/channel.ts'
import type { OneWayMessages } from '../channel/one-way-messages.ts'

/** Writes messages to a process, one on each line. A process that does not read must not fill the gateway's memory. */
export class LineWriter {
  readonly #to: Writable
  readonly #mostUnread: number
  readonly #oneWay: OneWayMessages
  #waiting = ''
  /** The messages without a reply among the waiting ones. */
  #waitingOneWay: Outgoing[] = []

  constructor(to: Writable, mostUnread: number, oneWay: OneWayMessages) {
    this.#to = to
    this.#mostUnread = mostUnread
    this.#oneWay = oneWay
  }

  /** False if the message does not fit and cannot be dropped. */
  add(message: Outgoing): boolean {
    if (message.id === undefined) return this.#addOneWay(message)
    const unread = this.#to.writableLength + this.#waiting.length
    // A single message is as long as calls may be.
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

  /** All messages of one turn of the event loop leave in one write, because each write costs as much as half a call. */
  flush(): void {
    const lines = this.#waiting
    const oneWay = this.#waitingOneWay
    this.#waiting = ''
    if (lines === '') return
    // Most messages are ASCII, and the faster way to write those pays for the check.
    const encoding = Buffer.byteLength(lines) === lines.length ? 'latin1' : 'utf8'
    if (oneWay.length === 0) return void this.#to.write(lines, encoding)
    this.#waitingOneWay = []
    this.#to.write(lines, encoding, () => {
      for (const admitted of oneWay) this.#oneWay.release(admitted)
    })
  }
}
