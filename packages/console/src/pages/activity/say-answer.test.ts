import { describe, expect, it } from 'vitest'
import { sayAnswer } from './say-answer.ts'

describe('the decision on a call', () => {
  it('is an approval when the call continued with one', () => {
    expect(sayAnswer({ approval: 'apr_1' })).toBe('Approved by a person')
  })

  it('is undefined while the call waits', () => {
    expect(sayAnswer({ approval: 'apr_1', code: 'confirmation_required' })).toBeUndefined()
  })

  it('tells denied calls from expired ones', () => {
    expect(sayAnswer({ approval: 'apr_1', code: 'confirmation_denied' })).toBe('Denied by a person')
    expect(sayAnswer({ code: 'confirmation_expired' })).toBe('Not approved in time')
  })

  it('is undefined when no approval was needed', () => {
    expect(sayAnswer({})).toBeUndefined()
  })
})
