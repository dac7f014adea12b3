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

describe('createFolder', () => {
  it('creates the folder and its parents with the given mode, and does nothing the second time', () => {
    const deep = join(folder, 'a', 'b', 'c')
    for (let time = 0; time < 2; time += 1) createFolder(deep, 0o700)
    for (const path of [deep, join(folder, 'a')]) expect(statSync(path).mode & 0o777).toBe(0o700)
  })

  it('fails if a file has that path', () => {
    const file = join(folder, 'file')
    writeFileSync(file, '')
    expect(() => createFolder(file)).toThrow('EEXIST')
    expect(() => createFolder(join(file, 'in', 'it'))).toThrow('ENOTDIR')
  })

  it.runIf(existsSync('/proc/self'))('fails where folders cannot be created', () => {
    expect(() => createFolder('/proc/nope/data')).toThrow('ENOENT')
  })
})
