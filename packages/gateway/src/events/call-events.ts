import { kindOfVariant } from '@hintgate/metadata'
import type { OutcomeEntry } from '../audit/entry.ts'
import type { EventHub } from './event-hub.ts'

const PER_SECOND = 20
const SECOND_MS = 1000

/** Tells who listens how calls end; of many in a second only some, and how many there were besides. */
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
    // Mostly nobody looks, and then a call pays nothing for it.
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
