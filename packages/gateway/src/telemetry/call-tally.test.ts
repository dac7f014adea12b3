import { describe, expect, it } from 'vitest'
import type { OutcomeEntry } from '../audit/entry.ts'
import { CallTally } from './call-tally.ts'
import type { Measure } from './measure.ts'

function ended(more: Partial<OutcomeEntry> = {}, call: Partial<OutcomeEntry['call']> = {}): OutcomeEntry {
  return {
    call: {
      requestId: 'r-1',
      at: 0,
      principal: 'agent:bot',
      session: 's',
      door: 'direct',
      server: 'crm',
      tool: 'find',
      typed: 'crm:find',
      known: { fingerprint: 'f', variant: 'call_tool_read', hints: '', title: 'Find' },
      arguments: {},
      verdict: 'allow',
      reasons: [],
      ...call,
    },
    outcome: 'answered',
    attempts: 1,
    durationMs: 3,
    ...more,
  }
}

function pointsOf(tally: CallTally, name: string): Measure['points'] {
  const found = tally.measures().find(measure => measure.name === name)
  if (found === undefined || found.kind === 'histogram') throw new Error(`there is no ${name}`)
  return found.points
}

describe('the call metrics', () => {
  it('count calls by server, variant, verdict and outcome, with their durations', () => {
    const tally = new CallTally()
    tally.count(ended())
    tally.count(ended({ durationMs: 400 }))
    tally.count(ended({ outcome: 'refused', code: 'policy_denied' }, { verdict: 'deny' }))
    const labels = { server: 'crm', variant: 'call_tool_read', verdict: 'allow', outcome: 'answered' }
    expect(pointsOf(tally, 'hintgate_calls_total')).toEqual([
      { labels, value: 2 },
      { labels: { ...labels, verdict: 'deny', outcome: 'refused' }, value: 1 },
    ])
    expect(pointsOf(tally, 'hintgate_refusals_total')).toEqual([
      { labels: { code: 'policy_denied' }, value: 1 },
    ])
    const durations = tally.measures().find(({ kind }) => kind === 'histogram')?.points[0]?.value
    expect(durations).toMatchObject({ count: 2, sum: 0.403 })
    expect(durations).toMatchObject({ counts: [0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0] })
  })

  it('have no label that a caller or a server made up', () => {
    const tally = new CallTally()
    for (let at = 0; at < 50; at++) {
      tally.count(
        ended(
          { outcome: 'refused', code: 'unknown_tool' },
          { server: `s${at}`, tool: `t${at}`, known: undefined },
        ),
      )
      tally.count(ended({ outcome: 'error', code: String(at) }))
    }
    expect(pointsOf(tally, 'hintgate_calls_total').map(({ labels }) => labels.server)).toEqual([
      'unknown',
      'crm',
    ])
    expect(pointsOf(tally, 'hintgate_tool_calls_total')).toHaveLength(1)
    expect(pointsOf(tally, 'hintgate_refusals_total').map(({ labels }) => labels.code)).toEqual([
      'unknown_tool',
    ])
  })

  it('group tools once there are too many, without losing a call', () => {
    const tally = new CallTally()
    for (let at = 0; at < 5000; at++) tally.count(ended({}, { server: `s${at}`, tool: `t${at}` }))
    for (const [name, most] of [
      ['hintgate_tool_calls_total', 201],
      ['hintgate_calls_total', 2001],
    ] as const) {
      const points = pointsOf(tally, name)
      expect(points.length, name).toBeLessThanOrEqual(most)
      expect(
        points.reduce((sum, { value }) => sum + value, 0),
        name,
      ).toBe(5000)
    }
  })
})
