import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { readRegularFile } from './read-regular-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'hintgate-files-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('readRegularFile', () => {
  it('reads the whole file even if its reported size is wrong', () => {
    const file = join(folder, 'plain')
    for (const text of ['', 'ab', 'x'.repeat(200_000)]) {
      writeFileSync(file, text)
      expect(readRegularFile(file).toString()).toBe(text)
    }
    if (process.platform === 'linux') expect(readRegularFile('/proc/self/stat').length).toBeGreaterThan(0)
  })

  it('refuses a file over the limit', () => {
    const file = join(folder, 'long')
    writeFileSync(file, 'abc')
    expect(readRegularFile(file, 3).toString()).toBe('abc')
    expect(() => readRegularFile(file, 2)).toThrow(/longer than 2 bytes/)
    truncateSync(file, 2 ** 40)
    expect(() => readRegularFile(file)).toThrow(/longer than/)
  })

  it.skipIf(process.platform === 'win32')(
    'refuses a pipe, a device and a folder without waiting, directly and through a link',
    () => {
      const pipe = join(folder, 'pipe')
      execFileSync('mkfifo', [pipe])
      symlinkSync(pipe, join(folder, 'link'))
      for (const path of [pipe, join(folder, 'link'), '/dev/zero'])
        expect(() => readRegularFile(path)).toThrow(/not a regular file/)
      expect(() => readRegularFile(folder)).toThrow(/EISDIR/)
      expect(() => readRegularFile(join(folder, 'nowhere'))).toThrow(/ENOENT/)
    },
  )
})
