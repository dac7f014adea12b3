import { describe, expect, it } from 'vitest'
import { sayAnswer } from './say-answer.ts'

describe('what a person said to a call', () => {
  it('is yes where the call went on with an approval', () => {
    expect(sayAnswer({ approval: 'apr_1' })).toBe('Approved by a person')
  })

  it('is nothing yet where the call still waits', () => {
    expect(sayAnswer({ approval: 'apr_1', code: 'confirmation_required' })).toBeUndefined()
  })

  it('is no where the call was denied, and nothing in time where it expired', () => {
    expect(sayAnswer({ approval: 'apr_1', code: 'confirmation_denied' })).toBe('Denied by a person')
    expect(sayAnswer({ code: 'confirmation_expired' })).toBe('Not approved in time')
  })

  it('is nothing where nobody was asked', () => {
    expect(sayAnswer({})).toBeUndefined()
  })
})
