import { describe, expect, it } from 'vitest'
import type { Operation } from '../derive/operations.ts'
import type { HintValues } from '../hint/hints.ts'
import { resolveEffective } from '../record/resolve-effective.ts'
import { addRiskFactors, riskFactorsOf, type SessionRiskFactors, viewRisk } from './risk-factors.ts'

const effective = (hints: HintValues) => resolveEffective({ declared: { hints }, vouched: true })
const call = (tool: string, at = 0) => ({ tool, request: `r-${tool}`, at })

describe('the risk factors of a call', () => {
  it.each<[string, HintValues, object]>([
    ['a closed, harmless read', { readOnly: true, openWorld: false, sensitive: false }, {}],
    [
      'a read of the web',
      { readOnly: true, openWorld: true, sensitive: false },
      { untrusted_content: 'declared' },
    ],
    [
      'a read of private data in a closed world',
      { readOnly: true, openWorld: false, sensitive: true },
      { private_data: 'declared' },
    ],
    [
      'a write to the outside',
      { readOnly: false, openWorld: true, sensitive: false },
      { untrusted_content: 'declared', external_communication: 'declared' },
    ],
    [
      'a read that is said to send data',
      { readOnly: true, openWorld: false, sensitive: false, egress: true },
      { external_communication: 'declared' },
    ],
    [
      'an outside write that is said to send nothing',
      { readOnly: false, openWorld: true, sensitive: false, egress: false },
      { untrusted_content: 'declared' },
    ],
    [
      'a tool that says nothing at all',
      {},
      { private_data: 'assumed', untrusted_content: 'assumed', external_communication: 'assumed' },
    ],
  ])('%s', (_what, hints, expected) => {
    expect(riskFactorsOf(effective(hints))).toEqual(expected)
  })

  it('of a tool that only creates include untrusted content only as assumed', () => {
    const hints = { readOnly: false, openWorld: true, sensitive: false }
    const basis = (...operations: Operation[]) =>
      riskFactorsOf(resolveEffective({ declared: { hints, operations }, vouched: true })).untrusted_content
    expect(basis('create')).toBe('assumed')
    expect(basis('create', 'read')).toBe('declared')
    expect(basis('update')).toBe('declared')
    expect(basis()).toBe('declared')
  })
})

describe('a session', () => {
  const private_data = effective({ readOnly: true, openWorld: false, sensitive: true })
  const web = effective({ readOnly: true, openWorld: true, sensitive: false })
  const send = effective({ readOnly: false, openWorld: true, sensitive: false, egress: true })

  it('collects risk factors call by call, each with its call', () => {
    let riskFactors: SessionRiskFactors = {}
    expect(viewRisk(riskFactors).level).toBe('none')
    riskFactors = addRiskFactors(riskFactors, web, call('web:fetch'))
    riskFactors = addRiskFactors(riskFactors, private_data, call('files:read'))
    expect(viewRisk(riskFactors).level).toBe('some')
    riskFactors = addRiskFactors(riskFactors, send, call('mail:send'))
    expect(viewRisk(riskFactors)).toEqual({
      level: 'trifecta',
      riskFactors: [
        { factor: 'private_data', tool: 'files:read', basis: 'declared' },
        { factor: 'untrusted_content', tool: 'web:fetch', basis: 'declared' },
        { factor: 'external_communication', tool: 'mail:send', basis: 'declared' },
      ],
    })
  })

  it('keeps the first declared call, which replaces an assumed one', () => {
    let riskFactors = addRiskFactors({}, effective({}), call('odd:tool', 1))
    riskFactors = addRiskFactors(riskFactors, web, call('web:fetch', 2))
    riskFactors = addRiskFactors(riskFactors, web, call('web:later', 3))
    expect(riskFactors.untrusted_content).toEqual({
      tool: 'web:fetch',
      request: 'r-web:fetch',
      at: 2,
      basis: 'declared',
    })
    expect(riskFactors.private_data?.tool).toBe('odd:tool')
  })

  it('is unchanged by a call that brings in no new risk factor', () => {
    const riskFactors = addRiskFactors({}, web, call('web:fetch'))
    expect(addRiskFactors(riskFactors, web, call('web:again'))).toBe(riskFactors)
  })
})
