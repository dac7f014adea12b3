import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { AsyncCommits } from './audit-commit.ts'
import { openSqliteStore } from './sqlite-store.ts'

describe('a commit of the audit log', () => {
  let folder: string
  let file: string
  let did: string[]
  let isLogLeft: boolean
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'hintgate-commit-'))
    file = join(folder, 'store.db')
    did = []
    isLogLeft = true
    writeFileSync(file, '')
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  const open = () =>
    new AsyncCommits(file, {
      busyMs: 0,
      checkpoint: () => {
        did.push('leave the log')
        if (!isLogLeft) throw new Error('in use')
      },
    })
  const work = () => did.push('work')

  // The log is replaced by a device file, because syncing a device fails with an error.
  it.skipIf(process.platform !== 'linux')(
    'does not rely on the write-ahead log after a failed sync',
    async () => {
      symlinkSync('/dev/null', `${file}-wal`)
      const commits = open()
      await expect(commits.run(work)).rejects.toMatchObject({ code: 'EINVAL' })
      isLogLeft = false
      await expect(commits.run(work)).rejects.toThrow('in use')
      expect(did).toEqual(['work', 'leave the log'])
      isLogLeft = true
      rmSync(`${file}-wal`)
      writeFileSync(`${file}-wal`, '')
      await commits.run(work)
      await commits.run(work)
      expect(did).toEqual(['work', 'leave the log', 'leave the log', 'work', 'work'])
      await commits.close()
    },
  )

  it('is synced beside the real database file, even if the database is opened through links', async () => {
    rmSync(file)
    const link = join(folder, 'link.db')
    symlinkSync(file, link)
    const store = openSqliteStore(link)
    const writer = { name: 'w', startedAt: 1, place: 'here', pid: 1, processStart: '', keyId: 'k' }
    expect(await store.audit.register(writer, () => ({ seq: 0, hash: '', mac: 'm' }))).toBe(1)
    await store.close()
  })
})
