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

const look = () => readClientText(findClient('cursor'), { path })

describe('replacing a client’s file', () => {
  it('keeps its rights, and leaves nothing beside it', () => {
    writeFileSync(path, '{}')
    chmodSync(path, 0o664)
    replaceFile(look(), Buffer.from('{"a":1}'))
    expect([readFileSync(path, 'utf8'), statSync(path).mode & 0o777, readdirSync(folder)]).toEqual([
      '{"a":1}',
      0o664,
      ['mcp.json'],
    ])
  })

  it('is refused when somebody has written it since we looked', () => {
    writeFileSync(path, '{}')
    const seen = look()
    writeFileSync(path, '{"theirs": 1}')
    expect(() => replaceFile(seen, Buffer.from('{"ours": 1}'))).toThrow(
      'changed by another program meanwhile',
    )
    expect(() => removeFile(seen)).toThrow('changed by another program meanwhile')
    expect([readFileSync(path, 'utf8'), readdirSync(folder)]).toEqual(['{"theirs": 1}', ['mcp.json']])
  })

  it('is refused when a file has come where there was none, or gone where there was one', () => {
    const absent = look()
    writeFileSync(path, '{"theirs": 1}')
    expect(() => replaceFile(absent, Buffer.from('{}'))).toThrow('changed by another program meanwhile')
    const present = look()
    rmSync(path)
    expect(() => replaceFile(present, Buffer.from('{}'))).toThrow('changed by another program meanwhile')
    expect(readdirSync(folder)).toEqual([])
  })
})
