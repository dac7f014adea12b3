import { addressOf } from '@hintgate/gateway/admin'
import { follow, type Subject } from './queries.ts'
import { staleSubjects } from './stale-subjects.ts'

interface LiveEvent {
  readonly id: number
  readonly at: number
  readonly type: string
  readonly data: Readonly<Record<string, unknown>>
}

type LiveState = 'connecting' | 'live' | 'lost'

/** Minimum time between two refreshes of the page. A busy gateway sends many events. */
const REFRESH_MS = 700

/** The stream of events, which marks data as stale and notifies listeners. */
class Live {
  readonly #listeners = new Set<(event: LiveEvent) => void>()
  readonly #watchers = new Set<() => void>()
  readonly #stale = new Set<Subject>()
  #source: EventSource | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #state: LiveState = 'connecting'

  readonly state = (): LiveState => this.#state

  open(): () => void {
    const source = new EventSource(addressOf('events'))
    this.#source = source
    source.addEventListener('open', () => this.#become('live'))
    source.addEventListener('error', () => this.#become('lost'))
    source.addEventListener('message', ({ data }) => this.#receive(JSON.parse(String(data)) as LiveEvent))
    return () => {
      source.close()
      if (this.#source === source) this.#become('connecting')
    }
  }

  readonly onEvent = (listener: (event: LiveEvent) => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  readonly onState = (watcher: () => void): (() => void) => {
    this.#watchers.add(watcher)
    return () => this.#watchers.delete(watcher)
  }

  #become(state: LiveState): void {
    // Events were missed while the stream was disconnected, so all data might be stale.
    if (state === 'live' && this.#state === 'lost')
      void follow('overview', 'approvals', 'tools', 'review', 'sessions', 'activity', 'servers')
    this.#state = state
    for (const watcher of this.#watchers) watcher()
  }

  #receive(event: LiveEvent): void {
    for (const subject of staleSubjects(event.type)) this.#stale.add(subject)
    if (this.#timer === undefined)
      this.#timer = setTimeout(() => this.#flush(), event.type.startsWith('approval.') ? 0 : REFRESH_MS)
    for (const listener of this.#listeners) listener(event)
  }

  #flush(): void {
    this.#timer = undefined
    const subjects = [...this.#stale]
    this.#stale.clear()
    void follow(...subjects)
  }
}

export const live = new Live()
