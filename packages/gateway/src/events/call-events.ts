import { kindOfVariant } from '@hintgate/metadata'
import type { OutcomeEntry } from '../audit/entry.ts'
import type { EventHub } from './event-hub.ts'

const PER_SECOND = 20
const SECOND_MS = 1000

/** Emits an event when a call ends; under load only for some, with the number left out. */
export class CallEvents {
  readonly #hub: EventHub
  readonly #now: () => number
  #second = 0
  #told = 0
  #skipped = 0

  constructor(hub: EventHub, now: () => number) {
    this.#hub = hub
    this.#now = now
  }

  note(entry: OutcomeEntry): void {
    // Usually no client listens, and then the event costs the call nothing.
    if (!this.#hub.isHeard) return
    const second = Math.floor(this.#now() / SECOND_MS)
    if (second !== this.#second) this.#told = 0
    this.#second = second
    if (this.#told >= PER_SECOND) {
      this.#skipped += 1
      return
    }
    this.#told += 1
    this.#hub.emit('call.ended', { ...describe(entry), skipped: this.#skipped })
    this.#skipped = 0
  }
}

function describe({ call, outcome, code, durationMs }: OutcomeEntry): Readonly<Record<string, unknown>> {
  const { requestId, at, principal, server, tool, verdict, session, known } = call
  return {
    request: requestId,
    at,
    agent: principal,
    server,
    tool,
    ...(known === undefined ? {} : { variant: kindOfVariant(known.variant) }),
    ...(verdict === undefined ? {} : { verdict }),
    outcome,
    ...(code === undefined ? {} : { code }),
    durationMs,
    session,
  }
}
