import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { RefusalCounter } from './count-refusals.ts'
import type { IntentEntry, OutcomeEntry } from './entry.ts'
import { exampleEnding, exampleEntry } from './test-support/example-entry.ts'

describe('repeated refusals', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  const setUp = () => {
    const written: OutcomeEntry[] = []
    const counter = new RefusalCounter(entry => written.push(entry))
    let calls = 0
    const refuse = (fields: Partial<IntentEntry> = {}, code = 'policy_denied') =>
      counter.count(exampleEnding(exampleEntry(`r${++calls}`, fields), { outcome: 'refused', code }))
    return { written, counter, refuse }
  }

  it('get one row immediately, and one with their count at the end of the minute', () => {
    const { written, refuse } = setUp()
    expect([refuse(), refuse(), refuse()]).toEqual([false, true, true])
    vi.advanceTimersByTime(59_999)
    expect(written).toEqual([])
    vi.advanceTimersByTime(1)
    expect(written.map(({ repeats, call }) => [repeats, call.requestId])).toEqual([[2, 'r3']])
    expect(refuse()).toBe(false)
  })

  it('are counted separately for each caller, tool and code', () => {
    const { written, counter, refuse } = setUp()
    const kinds = [{}, { tool: 'delete' }, { principal: 'agent:other' }] as const
    for (const kind of kinds) expect([refuse(kind), refuse(kind)]).toEqual([false, true])
    expect([refuse({}, 'rate_limited'), refuse({}, 'rate_limited')]).toEqual([false, true])
    counter.flush()
    expect(written.map(({ repeats }) => repeats)).toEqual([1, 1, 1, 1])
  })

  it('each get a row if their arguments differ, up to a limit', () => {
    const { written, counter, refuse } = setUp()
    const rows = Array.from({ length: 50 }, (_, id) => refuse({ arguments: { id } })).filter(is => !is)
    expect(rows).toHaveLength(10)
    counter.flush()
    expect(written.map(({ repeats }) => repeats)).toEqual([40])
    expect(written[0]?.call.arguments).toBeUndefined()
  })

  it('are counted together beyond a limit for a caller that invents names', () => {
    const { written, counter, refuse } = setUp()
    let rows = 0
    for (let at = 0; at < 1000; at++)
      if (!refuse({ tool: `made-up-${at}`, known: undefined }, 'unknown_tool')) rows += 1
    expect(rows).toBeLessThan(220)
    counter.flush()
    expect(rows + written.reduce((sum, { repeats = 0 }) => sum + repeats, 0)).toBe(1000)
    expect(written.length).toBe(1)
  })

  it('are counted separately for each approval', () => {
    const { counter, refuse } = setUp()
    const refused = ['a1', 'a1', 'a2'].map(approval => refuse({ approval }))
    expect(refused).toEqual([false, true, false])
    counter.flush()
  })

  it('are the only calls that are counted', () => {
    const { counter } = setUp()
    const read = exampleEnding(exampleEntry('r'))
    expect([counter.count(read), counter.count(read)]).toEqual([false, false])
  })
})
