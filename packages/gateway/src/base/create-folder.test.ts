import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createFolder } from './create-folder.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hintgate-folder-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

describe('a folder that is to be there', () => {
  it('is made with those that it is in, for their owner alone if need be, and once', () => {
    const deep = join(folder, 'a', 'b', 'c')
    for (let time = 0; time < 2; time += 1) createFolder(deep, 0o700)
    for (const path of [deep, join(folder, 'a')]) expect(statSync(path).mode & 0o777).toBe(0o700)
  })

  it('cannot be made where a file is', () => {
    const file = join(folder, 'file')
    writeFileSync(file, '')
    expect(() => createFolder(file)).toThrow('EEXIST')
    expect(() => createFolder(join(file, 'in', 'it'))).toThrow('ENOTDIR')
  })

  it.runIf(existsSync('/proc/self'))('cannot be made where there are none, and says so', () => {
    expect(() => createFolder('/proc/nope/data')).toThrow('ENOENT')
  })
})
