import { describe, expect, it } from 'vitest'
import { adoptTraceHeader, TraceBudget } from './call-tracer.ts'

const PARENT = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
const HEADERS = ['Host', 'here', 'TraceParent', PARENT, 'tracestate', 'a=1']

describe('a trace in the HTTP headers', () => {
  it('is used for a message without a trace of its own', () => {
    const body = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'x', _meta: { progressToken: 1 } },
    }
    expect(adoptTraceHeader(body, HEADERS)).toEqual({
      ...body,
      params: { name: 'x', _meta: { progressToken: 1, traceparent: PARENT, tracestate: 'a=1' } },
    })
    expect(body.params._meta).toEqual({ progressToken: 1 })
  })

  it('is ignored if the message has its own', () => {
    const body = { method: 'tools/call', params: { _meta: { traceparent: 'own' } } }
    expect(adoptTraceHeader(body, HEADERS)).toBe(body)
  })

  it('is ignored if it is invalid, or in messages that cannot have one', () => {
    for (const body of [[{ method: 'ping' }], { id: 1, result: {} }, null, 'text'])
      expect(adoptTraceHeader(body, HEADERS)).toBe(body)
    const body = { method: 'ping' }
    expect(adoptTraceHeader(body, ['traceparent', 'nonsense'])).toBe(body)
    expect(adoptTraceHeader(body, ['host', 'here'])).toBe(body)
  })
})

it('a budget allows the configured calls per second, and does not accumulate beyond a burst', () => {
  const budget = new TraceBudget(10)
  const count = (from: number, to: number, each: number): number => {
    let taken = 0
    for (let now = from; now < to; now += each) if (budget.take(now)) taken += 1
    return taken
  }
  expect(count(0, 1000, 1)).toBe(19) // Ten at once, and nine that the budget gained in the meantime.
  expect(count(1000, 2000, 1)).toBe(10)
  // A quiet minute allows no larger burst of traced calls than a quiet second.
  expect(count(62_000, 62_100, 1)).toBe(10)
  expect(count(63_100, 64_100, 200)).toBe(5)
})

it('a large budget is not spent all at once', () => {
  const budget = new TraceBudget(100)
  const taken = Array.from({ length: 200 }, () => budget.take(1000)).filter(Boolean)
  expect(taken).toHaveLength(25)
})

it('a clock that is set back takes no budget away', () => {
  const budget = new TraceBudget(2)
  expect([budget.take(5000), budget.take(1000), budget.take(1000)]).toEqual([true, true, false])
  expect(budget.take(1500)).toBe(true)
})
