import { describe, expect, it } from 'vitest'
import { adoptTraceHeader } from './adopt-trace-header.ts'

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
