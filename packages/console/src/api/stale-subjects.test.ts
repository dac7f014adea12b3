import { describe, expect, it } from 'vitest'
import { staleSubjects } from './stale-subjects.ts'

describe('an event', () => {
  it('makes its subjects stale', () => {
    expect(staleSubjects('approval.requested')).toContain('approvals')
    expect(staleSubjects('tool.changed')).toEqual(expect.arrayContaining(['tools', 'review']))
    expect(staleSubjects('call.ended')).toContain('activity')
    expect(staleSubjects('session.risk_factor')).toContain('sessions')
  })

  it('of an unknown kind changes nothing', () => {
    expect(staleSubjects('weather.changed')).toEqual([])
  })
})
