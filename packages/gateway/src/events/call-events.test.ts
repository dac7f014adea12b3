import { describe, expect, it } from 'vitest'
import type { OutcomeEntry } from '../audit/entry.ts'
import { CallEvents } from './call-events.ts'
import { EventHub, type GatewayEvent } from './event-hub.ts'

const ENTRY: OutcomeEntry = {
  call: {
    requestId: 'r',
    at: 1,
    principal: 'agent:bot',
    session: 'agent:bot',
    door: 'direct',
    server: 's',
    tool: 't',
    typed: 's__t',
    arguments: { secret: 'x' },
    reasons: [],
    verdict: 'allow',
  },
  outcome: 'answered',
  attempts: 1,
  durationMs: 5,
}

describe('call events', () => {
  it('are sent for twenty calls per second, without content, and with the number of skipped calls', () => {
    let now = 0
    const hub = new EventHub(() => now)
    const events = new CallEvents(hub, () => now)
    const heard: GatewayEvent[] = []
    events.note(ENTRY)
    const stop = hub.listen(event => heard.push(event))
    for (let count = 0; count < 50; count++) events.note(ENTRY)
    expect(heard.length).toBe(20)
    now += 1000
    events.note(ENTRY)
    expect(heard.at(-1)?.data).toMatchObject({
      request: 'r',
      agent: 'agent:bot',
      outcome: 'answered',
      skipped: 30,
    })
    expect(JSON.stringify(heard)).not.toContain('secret')
    stop()
    // Only the alert is kept for replay. If call events were kept too, they would displace events that a reconnecting
    // client needs.
    hub.listen(event => heard.push(event), 0)
    expect(heard.length).toBe(21)
    expect(hub.counts.has('call.ended')).toBe(false)
  })
})
