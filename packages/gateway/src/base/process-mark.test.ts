import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import type { StoredWriter } from '../store/audit-store.ts'
import { isGone, markProcess } from './process-mark.ts'

const HERE = markProcess()

function writer(fields: Partial<StoredWriter>): StoredWriter {
  return { ...HERE, id: 1, name: 'w', startedAt: 0, keyId: 'k', seenAt: 1000, openFrom: 1, ...fields }
}

describe('a writer of the log', () => {
  it('is there while its process runs, however long it is silent', () => {
    expect(isGone(writer({}), HERE, 1e12)).toBe(false)
  })

  it('is gone at once when its process has ended', () => {
    const { pid } = spawnSync(process.execPath, ['-e', ''])
    expect(isGone(writer({ pid }), HERE, 1001)).toBe(true)
  })

  it.skipIf(process.platform !== 'linux')('is gone when another process has its id', () => {
    expect(isGone(writer({ processStart: '1' }), HERE, 1001)).toBe(true)
  })

  it('elsewhere is gone when it has been silent for long', () => {
    const elsewhere = { place: 'another container', pid: 2 ** 22 + 1 }
    expect(isGone(writer(elsewhere), HERE, 30_000)).toBe(false)
    expect(isGone(writer(elsewhere), HERE, 62_000)).toBe(true)
  })

  it('of an unknown start counts as gone when it has been silent for long', () => {
    expect(isGone(writer({ processStart: '' }), HERE, 30_000)).toBe(false)
    expect(isGone(writer({ processStart: '' }), HERE, 62_000)).toBe(true)
  })
})
