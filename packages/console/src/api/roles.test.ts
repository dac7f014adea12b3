import { describe, expect, it } from 'vitest'
import { includesRole } from './roles.ts'

describe('a role', () => {
  it('includes the ones below it and none above', () => {
    expect(includesRole('operator', 'approver')).toBe(true)
    expect(includesRole('operator', 'operator')).toBe(true)
    expect(includesRole('approver', 'operator')).toBe(false)
    expect(includesRole('viewer', 'approver')).toBe(false)
    expect(includesRole('admin', 'viewer')).toBe(true)
  })
})
