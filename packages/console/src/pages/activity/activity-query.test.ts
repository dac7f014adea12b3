import { describe, expect, it } from 'vitest'
import { toActivityQuery } from './activity-query.ts'

describe('filters in the address of the activity page', () => {
  it('become a query, and the way it looks does not', () => {
    expect(toActivityQuery({ verdict: 'deny', agent: 'agent:bot', since: '24h', view: 'table' })).toEqual({
      verdict: 'deny',
      agent: 'agent:bot',
      since: '24h',
    })
  })

  it('find the calls that wait for a person, which are recorded as refused', () => {
    expect(toActivityQuery({ outcome: 'waits' })).toEqual({
      outcome: 'refused',
      code: 'confirmation_required',
    })
    expect(toActivityQuery({ outcome: 'failed', code: 'x' })).toEqual({ outcome: 'failed', code: 'x' })
  })

  it('are left out where nobody knows them', () => {
    expect(toActivityQuery({ verdict: 'maybe', variant: 'x' })).toEqual({})
  })
})
