import { describe, expect, it } from 'vitest'
import type { ScanFinding, ScanSeverity } from './scan-finding.ts'
import { isSuspicious, suspicionOf } from './score.ts'

function finding(rule: string, severity: ScanSeverity): ScanFinding {
  return { rule, severity, path: '/description', span: [0, 1], excerpt: 'x', reason: 'is a sample' }
}

describe('suspicion', () => {
  it('needs one high finding or two different medium ones', () => {
    expect(isSuspicious([])).toBe(false)
    expect(isSuspicious([finding('a', 'high')])).toBe(true)
    expect(isSuspicious([finding('a', 'medium')])).toBe(false)
    expect(isSuspicious([finding('a', 'medium'), finding('b', 'medium')])).toBe(true)
  })

  it('does not grow with repeated findings of one rule', () => {
    expect(suspicionOf([finding('a', 'medium'), finding('a', 'medium'), finding('a', 'low')])).toBe(0.5)
    expect(suspicionOf([finding('a', 'medium'), finding('a', 'high')])).toBe(1)
  })

  it('ignores findings of low severity', () => {
    expect(suspicionOf(Array.from({ length: 50 }, (_, at) => finding(`r${at}`, 'low')))).toBe(0)
  })
})
