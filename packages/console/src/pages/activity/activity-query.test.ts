import { describe, expect, it } from 'vitest'
import { toActivityQuery } from './activity-query.ts'

describe('filters in the address of the activity page', () => {
  it('become a query without the view', () => {
    expect(toActivityQuery({ verdict: 'deny', agent: 'agent:bot', since: '24h', view: 'table' })).toEqual({
      verdict: 'deny',
      agent: 'agent:bot',
      since: '24h',
    })
  })

  it('find calls that wait for approval, which are recorded as refused', () => {
    expect(toActivityQuery({ outcome: 'waits' })).toEqual({
      outcome: 'refused',
      code: 'confirmation_required',
    })
    expect(toActivityQuery({ outcome: 'failed', code: 'x' })).toEqual({ outcome: 'failed', code: 'x' })
  })

  it('are left out when they are unknown', () => {
    expect(toActivityQuery({ verdict: 'maybe', variant: 'x' })).toEqual({})
  })
})
