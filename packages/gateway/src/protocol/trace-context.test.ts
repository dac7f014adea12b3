import { describe, expect, it } from 'vitest'
import { parseTraceContext, randomId, readTraceContext, writeTraceContext } from './trace-context.ts'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const SPAN = '00f067aa0ba902b7'

describe('a trace context', () => {
  it('round-trips through `_meta`', () => {
    const carried = { traceparent: `00-${TRACE}-${SPAN}-01`, tracestate: 'vendor=1' }
    const context = readTraceContext({ _meta: carried })
    expect(context).toEqual({ traceId: TRACE, spanId: SPAN, isSampled: true, state: 'vendor=1' })
    expect(context && writeTraceContext(context)).toEqual(carried)
  })

  it('carries the sampled flag', () => {
    expect(parseTraceContext(`00-${TRACE}-${SPAN}-00`)?.isSampled).toBe(false)
    expect(parseTraceContext(`00-${TRACE}-${SPAN}-03`)?.isSampled).toBe(true)
  })

  it.each([
    ['a number', 7],
    ['nothing', ''],
    ['capital letters', `00-${TRACE.toUpperCase()}-${SPAN}-01`],
    ['no trace', `00-${'0'.repeat(32)}-${SPAN}-01`],
    ['no span', `00-${TRACE}-${'0'.repeat(16)}-01`],
    ['more than version 00 has', `00-${TRACE}-${SPAN}-01-more`],
    ['the forbidden version ff', `ff-${TRACE}-${SPAN}-01`],
    ['a line break', `00-${TRACE}-${SPAN}-01\n`],
  ])('is ignored with %s', (_what, parent) => {
    expect(parseTraceContext(parent)).toBeUndefined()
  })

  it('of a later version is read as far as its members are known', () => {
    expect(parseTraceContext(`01-${TRACE}-${SPAN}-01-more`)).toMatchObject({ traceId: TRACE, spanId: SPAN })
  })

  it('drops a state that is not valid in a header', () => {
    const parent = `00-${TRACE}-${SPAN}-01`
    for (const state of ['a=1\r\nx: y', 'a'.repeat(513), 7])
      expect(parseTraceContext(parent, state)).toMatchObject({ traceId: TRACE, state: undefined })
  })
})

describe('randomId()', () => {
  it('returns unique ids of the right length', () => {
    const ids = Array.from({ length: 2000 }, () => randomId(8))
    expect(ids.every(id => /^[\da-f]{16}$/.test(id))).toBe(true)
    expect(new Set(ids).size).toBe(2000)
    expect(randomId(16)).toMatch(/^[\da-f]{32}$/)
  })
})
