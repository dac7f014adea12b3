import { describe, expect, it } from 'vitest'
import { describeHistory } from './compare-versions.ts'
import { findVersion } from './find-definition.ts'
import { stored } from './test-support/stored.ts'

const A = { name: 'read', description: 'Reads.', annotations: { destructiveHint: true } }
const B = { ...A, annotations: { destructiveHint: false } }
const C = { ...B, description: 'Reads it all.' }
const KNOWN = stored([[A, 'approved'], [B, 'rejected'], [C]])

describe('the history of a definition', () => {
  it('contains every version, its reviewer, and the changes since the previous one', () => {
    expect(describeHistory(KNOWN)).toMatchObject([
      { firstSeenAt: 0, isCurrent: false, review: { verdict: 'approved', by: 'ada' }, changes: [] },
      { firstSeenAt: 1, isCurrent: false, review: { verdict: 'rejected' }, changes: ['▼ destructiveHint'] },
      { firstSeenAt: 2, isCurrent: true, changes: ['text'] },
    ])
    expect(describeHistory(KNOWN)[2]).not.toHaveProperty('review')
  })
})

describe('a version', () => {
  it('is found by the first digits of its fingerprint, and defaults to the current one', () => {
    const [, second, third] = KNOWN.versions
    expect(findVersion(KNOWN, second?.fingerprint.slice(0, 8).toUpperCase())).toBe(second)
    expect(findVersion(KNOWN)).toBe(third)
  })

  it('defaults to the last one if the server no longer has the definition', () => {
    const versions = KNOWN.versions.map((version, index) => ({ ...version, lastSeenAt: -index }))
    const { current: _, ...gone } = { ...KNOWN, versions }
    expect(findVersion(gone)).toBe(versions[0])
  })

  it('is not found by an invalid fingerprint', () => {
    expect(findVersion(KNOWN, 'abc')).toMatchObject({ isUsage: true })
    expect(findVersion(KNOWN, '0123456789abcdef')).toMatchObject({ isUsage: false })
    expect(findVersion({ ...KNOWN, versions: [] })).toMatchObject({ isUsage: false })
  })
})
