import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readClientText, removeFile, replaceFile } from './client-file.ts'
import { findClient } from './clients.ts'

let folder: string
let path: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hintgate-replace-'))
  path = join(folder, 'mcp.json')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const CHANGED = expect.objectContaining({ code: 'client_file_changed' })

const look = () => readClientText(findClient('cursor'), { path })

describe('replacing a client’s file', () => {
  it('keeps its mode and leaves no draft', () => {
    writeFileSync(path, '{}')
    chmodSync(path, 0o664)
    replaceFile(look(), Buffer.from('{"a":1}'))
    expect([readFileSync(path, 'utf8'), statSync(path).mode & 0o777, readdirSync(folder)]).toEqual([
      '{"a":1}',
      0o664,
      ['mcp.json'],
    ])
  })

  it('is refused if the file has changed since it was read', () => {
    writeFileSync(path, '{}')
    const seen = look()
    writeFileSync(path, '{"theirs": 1}')
    expect(() => replaceFile(seen, Buffer.from('{"ours": 1}'))).toThrow('Another program changed')
    expect(() => removeFile(seen)).toThrow(CHANGED)
    expect([readFileSync(path, 'utf8'), readdirSync(folder)]).toEqual(['{"theirs": 1}', ['mcp.json']])
  })

  it('is refused if the file was created or removed in the meantime', () => {
    const absent = look()
    writeFileSync(path, '{"theirs": 1}')
    expect(() => replaceFile(absent, Buffer.from('{}'))).toThrow(CHANGED)
    const present = look()
    rmSync(path)
    expect(() => replaceFile(present, Buffer.from('{}'))).toThrow(CHANGED)
    expect(readdirSync(folder)).toEqual([])
  })
})
