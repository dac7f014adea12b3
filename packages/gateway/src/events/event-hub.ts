export interface GatewayEvent {
  readonly id: number
  readonly at: number
  readonly type: EventType
  readonly data: Readonly<Record<string, unknown>>
}

export type EventType =
  | 'server.ready'
  | 'server.down'
  | 'tool.pending'
  | 'tool.changed'
  | 'tool.rejected'
  | 'tool.disabled'
  | 'tool.approved'
  | 'tool.tightened'
  | 'tool.gone'
  | 'alert.contradiction'
  | 'alert.result'
  | 'approval.requested'
  | 'approval.decided'
  | 'call.ended'
  | 'session.risk_factor'

const KEPT = 500
/** Events that are too frequent to be kept for replay. The audit log contains every call anyway. */
const PASSING: ReadonlySet<EventType> = new Set(['call.ended'])

/** Sends events to listeners and keeps recent ones for listeners that reconnect. */
export class EventHub {
  readonly #listeners = new Set<(event: GatewayEvent) => void>()
  readonly #kept: GatewayEvent[] = []
  readonly #now: () => number
  readonly #counts = new Map<EventType, number>()
  #last = 0

  constructor(now: () => number) {
    this.#now = now
  }

  emit(type: EventType, data: GatewayEvent['data']): void {
    this.#last += 1
    const event = { id: this.#last, at: this.#now(), type, data }
    if (!PASSING.has(type)) this.#keep(event)
    for (const listener of this.#listeners) listener(event)
  }

  get isHeard(): boolean {
    return this.#listeners.size > 0
  }

  #keep(event: GatewayEvent): void {
    this.#counts.set(event.type, (this.#counts.get(event.type) ?? 0) + 1)
    this.#kept.push(event)
    if (this.#kept.length > KEPT) this.#kept.shift()
  }

  get counts(): ReadonlyMap<EventType, number> {
    return this.#counts
  }

  /**
   * Sends the listener all kept events after `lastId`, then new events. Returns a function that removes the listener.
   */
  listen(listener: (event: GatewayEvent) => void, lastId?: number): () => void {
    if (lastId !== undefined) for (const event of this.#kept) if (event.id > lastId) listener(event)
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
}
