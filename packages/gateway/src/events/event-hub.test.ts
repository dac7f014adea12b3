import { describe, expect, it } from 'vitest'
import { EventHub, type GatewayEvent } from './event-hub.ts'

function hub() {
  let time = 0
  return new EventHub(() => ++time)
}

describe('the event hub', () => {
  it('sends events to all listeners in order until they stop', () => {
    const events = hub()
    const heard: GatewayEvent[] = []
    const stop = events.listen(event => heard.push(event))
    events.emit('tool.pending', { tool: 'a' })
    stop()
    events.emit('tool.gone', { tool: 'a' })
    expect(heard).toEqual([{ id: 1, at: 1, type: 'tool.pending', data: { tool: 'a' } }])
  })

  it('replays missed events to a reconnecting listener, once', () => {
    const events = hub()
    for (const tool of ['a', 'b', 'c']) events.emit('tool.pending', { tool })
    const heard: unknown[] = []
    events.listen(event => heard.push(event.data.tool), 1)
    events.emit('tool.pending', { tool: 'd' })
    expect(heard).toEqual(['b', 'c', 'd'])
  })

  it('forgets old events', () => {
    const events = hub()
    for (let count = 0; count < 2000; count++) events.emit('tool.gone', {})
    const heard: number[] = []
    events.listen(event => heard.push(event.id), 0)
    expect(heard.length).toBe(500)
    expect(heard[0]).toBe(1501)
  })
})
