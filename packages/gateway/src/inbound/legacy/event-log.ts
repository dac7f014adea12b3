interface LoggedEvent {
  readonly number: number
  readonly stream: string
  readonly data: string
}

const MAX_EVENTS = 500
const MAX_BYTES = 256 * 1024

/** What was sent on a session's streams lately, so that a client that lost one can pick it up again. */
export class EventLog {
  #events: LoggedEvent[] = []
  #next = 1
  #bytes = 0

  /** Keeps an event and returns its id, which also names its stream. */
  add(stream: string, data: string): string {
    const number = this.#next++
    this.#events.push({ number, stream, data })
    this.#bytes += data.length
    while (this.#events.length > MAX_EVENTS || this.#bytes > MAX_BYTES) {
      const dropped = this.#events.shift()
      this.#bytes -= dropped?.data.length ?? 0
    }
    return `${stream}_${number}`
  }

  /** The stream reached its end and its reader: nobody will ask for it again. */
  forget(stream: string): void {
    this.#events = this.#events.filter(event => event.stream !== stream)
    this.#bytes = this.#events.reduce((sum, event) => sum + event.data.length, 0)
  }

  /** Which stream an event id belongs to, and what came after it there. */
  after(
    eventId: string,
  ): { readonly stream: string; readonly events: readonly (readonly [string, string])[] } | undefined {
    const cut = eventId.lastIndexOf('_')
    const number = Number(eventId.slice(cut + 1))
    if (cut < 1 || !Number.isSafeInteger(number)) return undefined
    const stream = eventId.slice(0, cut)
    const missed = this.#events.filter(
      event => event.stream === stream && event.number > number && event.data !== '',
    )
    return { stream, events: missed.map(event => [`${stream}_${event.number}`, event.data] as const) }
  }
}
