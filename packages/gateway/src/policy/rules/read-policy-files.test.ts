import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readPolicyFiles } from './read-policy-files.ts'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'hintgate-policies-'))
  mkdirSync(join(folder, 'policies', 'team'), { recursive: true })
  for (const name of ['b.yaml', 'a.yaml', '.hidden.yaml', 'notes.txt', 'team/c.yaml'])
    writeFileSync(join(folder, 'policies', name), `\uFEFF# ${name}\n`)
})
afterAll(() => rmSync(folder, { recursive: true }))

describe('readPolicyFiles()', () => {
  it('returns matching files sorted, each once, relative to the folder', () => {
    const { files, problems } = readPolicyFiles(
      ['policies/*.yaml', 'policies/a.yaml', join(folder, 'policies/*/*.yaml')],
      folder,
    )
    expect(problems).toEqual([])
    expect(files).toEqual([
      { path: 'policies/a.yaml', text: '# a.yaml\n' },
      { path: 'policies/b.yaml', text: '# b.yaml\n' },
      { path: 'policies/team/c.yaml', text: '# team/c.yaml\n' },
    ])
  })

  it('reports a pattern without a match', () => {
    const { files, problems } = readPolicyFiles(['policies/*.yml', 'policies', 'nowhere/*/x.yaml'], folder)
    expect(files).toEqual([])
    expect(problems).toEqual([
      {
        file: 'policies/*.yml',
        line: 1,
        column: 1,
        message: 'no file matches this pattern',
        fix: 'correct the pattern, or remove it',
      },
      expect.objectContaining({ file: 'policies', message: 'the file does not exist' }),
      expect.objectContaining({ file: 'nowhere/*/x.yaml', message: 'no file matches this pattern' }),
    ])
  })

  it('keeps the absolute path of files outside the folder', () => {
    const { files } = readPolicyFiles([join(folder, 'policies/a.yaml')], join(folder, 'policies', 'team'))
    expect(files[0]?.path).toBe(join(folder, 'policies/a.yaml'))
  })
})
