import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import type { StoredWriter } from '../store/audit-store.ts'
import { isGone, markProcess } from './process-mark.ts'

const HERE = markProcess()

function writer(fields: Partial<StoredWriter>): StoredWriter {
  return { ...HERE, id: 1, name: 'w', startedAt: 0, keyId: 'k', seenAt: 1000, openFrom: 1, ...fields }
}

describe('isGone, for a writer of the audit log', () => {
  it('returns false while its process runs, however long it is silent', () => {
    expect(isGone(writer({}), HERE, 1e12)).toBe(false)
  })

  it('returns true as soon as its process has ended', () => {
    const { pid } = spawnSync(process.execPath, ['-e', ''])
    expect(isGone(writer({ pid }), HERE, 1001)).toBe(true)
  })

  it.skipIf(process.platform !== 'linux')(
    'returns true when another process has taken over its process id',
    () => {
      expect(isGone(writer({ processStart: '1' }), HERE, 1001)).toBe(true)
    },
  )

  it('returns true for a process in another container only after a long silence', () => {
    const elsewhere = { place: 'another container', pid: 2 ** 22 + 1 }
    expect(isGone(writer(elsewhere), HERE, 30_000)).toBe(false)
    expect(isGone(writer(elsewhere), HERE, 62_000)).toBe(true)
  })

  it('returns true for an unknown start time only after a long silence', () => {
    expect(isGone(writer({ processStart: '' }), HERE, 30_000)).toBe(false)
    expect(isGone(writer({ processStart: '' }), HERE, 62_000)).toBe(true)
  })
})
