import { describe, expect, it } from 'vitest'
import type { HintValues } from '../hint/hints.ts'
import { resolveEffective } from '../record/resolve-effective.ts'
import { addLegs, legsOf, type SessionLegs, viewRisk } from './session-legs.ts'

const effective = (hints: HintValues) => resolveEffective({ declared: { hints }, vouched: true })
const call = (tool: string, at = 0) => ({ tool, request: `r-${tool}`, at })

describe('the legs of a call', () => {
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
      { untrusted_content: 'declared', way_out: 'declared' },
    ],
    [
      'a read that is said to send data',
      { readOnly: true, openWorld: false, sensitive: false, egress: true },
      { way_out: 'declared' },
    ],
    [
      'an outside write that is said to send nothing',
      { readOnly: false, openWorld: true, sensitive: false, egress: false },
      { untrusted_content: 'declared' },
    ],
    [
      'a tool that says nothing at all',
      {},
      { private_data: 'assumed', untrusted_content: 'assumed', way_out: 'assumed' },
    ],
  ])('%s', (_what, hints, expected) => {
    expect(legsOf(effective(hints))).toEqual(expected)
  })
})

describe('a session', () => {
  const private_data = effective({ readOnly: true, openWorld: false, sensitive: true })
  const web = effective({ readOnly: true, openWorld: true, sensitive: false })
  const send = effective({ readOnly: false, openWorld: true, sensitive: false, egress: true })

  it('fills up call by call, and says which call brought what', () => {
    let legs: SessionLegs = {}
    expect(viewRisk(legs).level).toBe('none')
    legs = addLegs(legs, web, call('web:fetch'))
    legs = addLegs(legs, private_data, call('files:read'))
    expect(viewRisk(legs).level).toBe('some')
    legs = addLegs(legs, send, call('mail:send'))
    expect(viewRisk(legs)).toEqual({
      level: 'trifecta',
      legs: [
        { leg: 'private_data', tool: 'files:read', basis: 'declared' },
        { leg: 'untrusted_content', tool: 'web:fetch', basis: 'declared' },
        { leg: 'way_out', tool: 'mail:send', basis: 'declared' },
      ],
    })
  })

  it('keeps the first call that is certain, and lets it replace an assumption', () => {
    let legs = addLegs({}, effective({}), call('odd:tool', 1))
    legs = addLegs(legs, web, call('web:fetch', 2))
    legs = addLegs(legs, web, call('web:later', 3))
    expect(legs.untrusted_content).toEqual({
      tool: 'web:fetch',
      request: 'r-web:fetch',
      at: 2,
      basis: 'declared',
    })
    expect(legs.private_data?.tool).toBe('odd:tool')
  })

  it('is left as it is by a call that brings nothing new', () => {
    const legs = addLegs({}, web, call('web:fetch'))
    expect(addLegs(legs, web, call('web:again'))).toBe(legs)
  })
})
