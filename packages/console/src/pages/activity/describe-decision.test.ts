import { describe, expect, it } from 'vitest'
import { describeDecision } from './describe-decision.ts'

describe('the decision on a call', () => {
  it('is an approval when the call continued with one', () => {
    expect(describeDecision({ approval: 'apr_1' })).toBe('Approved by a person')
  })

  it('is undefined while the call waits', () => {
    expect(describeDecision({ approval: 'apr_1', code: 'confirmation_required' })).toBeUndefined()
  })

  it('tells denied calls from expired ones', () => {
    expect(describeDecision({ approval: 'apr_1', code: 'confirmation_denied' })).toBe('Denied by a person')
    expect(describeDecision({ code: 'confirmation_expired' })).toBe('Not approved in time')
  })

  it('is undefined when no approval was needed', () => {
    expect(describeDecision({})).toBeUndefined()
  })
})
