import { kindOfVariant } from '@hintgate/metadata'
import type { OutcomeEntry, ResultFinding } from '../audit/entry.ts'
import type { EventHub } from './event-hub.ts'

const PER_SECOND = 20
const SECOND_MS = 1000
const MINUTE_MS = 60_000
const MOST_ALERTED = 1000

/**
 * Emits an event when a call ends. Under load it emits events only for some calls; each event tells how many calls were
 * skipped.
 */
export class CallEvents {
  readonly #hub: EventHub
  readonly #now: () => number
  #second = 0
  #told = 0
  #skipped = 0
  #minute = 0
  /** The tools for which an alert was emitted in the current minute. */
  readonly #alerted = new Set<string>()

  constructor(hub: EventHub, now: () => number) {
    this.#hub = hub
    this.#now = now
  }

  note(entry: OutcomeEntry): void {
    if (entry.findings !== undefined) this.#alert(entry, entry.findings)
    // Usually no client listens; the call then does no work for events.
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

  /**
   * Emits an alert, at most one per tool and minute. Alerts are kept for listeners that reconnect, so their number must
   * be limited.
   */
  #alert({ call }: OutcomeEntry, findings: readonly ResultFinding[]): void {
    const { requestId, principal, server, tool } = call
    const minute = Math.floor(this.#now() / MINUTE_MS)
    if (minute !== this.#minute || this.#alerted.size >= MOST_ALERTED) this.#alerted.clear()
    this.#minute = minute
    const key = JSON.stringify([server, tool])
    if (this.#alerted.has(key)) return
    this.#alerted.add(key)
    this.#hub.emit('alert.result', { request: requestId, agent: principal, server, tool, findings })
  }
}

function describe({
  call,
  outcome,
  code,
  durationMs,
  findings,
}: OutcomeEntry): Readonly<Record<string, unknown>> {
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
    ...(findings === undefined ? {} : { findings }),
  }
}
