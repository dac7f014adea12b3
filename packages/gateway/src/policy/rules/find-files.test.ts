import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { findFiles } from './find-files.ts'

it('finds files and skips everything else', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hintgate-files-'))
  try {
    mkdirSync(join(folder, 'd.yaml'))
    writeFileSync(join(folder, 'a.yaml'), '')
    symlinkSync('z.yaml', join(folder, 'z.yaml'))
    symlinkSync('gone.yaml', join(folder, 'y.yaml'))
    expect(findFiles(join(folder, '*.yaml'))).toEqual([join(folder, 'a.yaml')])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
