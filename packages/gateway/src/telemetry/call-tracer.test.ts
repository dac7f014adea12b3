import { describe, expect, it } from 'vitest'
import { adoptTraceHeader, TraceBudget } from './call-tracer.ts'

const PARENT = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
const HEADERS = ['Host', 'here', 'TraceParent', PARENT, 'tracestate', 'a=1']

describe('the trace in the headers', () => {
  it('becomes that of a message that names none', () => {
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

  it('gives way to what the message says itself', () => {
    const body = { method: 'tools/call', params: { _meta: { traceparent: 'own' } } }
    expect(adoptTraceHeader(body, HEADERS)).toBe(body)
  })

  it('is left where it makes no sense', () => {
    for (const body of [[{ method: 'ping' }], { id: 1, result: {} }, null, 'text'])
      expect(adoptTraceHeader(body, HEADERS)).toBe(body)
    const body = { method: 'ping' }
    expect(adoptTraceHeader(body, ['traceparent', 'nonsense'])).toBe(body)
    expect(adoptTraceHeader(body, ['host', 'here'])).toBe(body)
  })
})

it('a budget lets so many calls a second through, and saves nothing up', () => {
  const budget = new TraceBudget(10)
  const count = (from: number, to: number, each: number): number => {
    let taken = 0
    for (let now = from; now < to; now += each) if (budget.take(now)) taken += 1
    return taken
  }
  expect(count(0, 1000, 1)).toBe(19) // ten at once, and what comes in meanwhile
  expect(count(1000, 2000, 1)).toBe(10)
  // After a quiet minute there is no more to spend than after a quiet second.
  expect(count(62_000, 62_100, 1)).toBe(10)
  expect(count(63_100, 64_100, 200)).toBe(5)
})

it('a large budget is not spent all at once', () => {
  const budget = new TraceBudget(100)
  const taken = Array.from({ length: 200 }, () => budget.take(1000)).filter(Boolean)
  expect(taken).toHaveLength(25)
})

it('a clock that goes back takes nothing away', () => {
  const budget = new TraceBudget(2)
  expect([budget.take(5000), budget.take(1000), budget.take(1000)]).toEqual([true, true, false])
  expect(budget.take(1500)).toBe(true)
})
