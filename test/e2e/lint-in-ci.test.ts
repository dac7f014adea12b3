import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const PAGE = readFileSync(join(ROOT, 'docs/lint-in-ci.md'), 'utf8')
const folder = mkdtempSync(join(tmpdir(), 'hintgate-ci-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const blocks = (language: string): string[] =>
  [...PAGE.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].flatMap(([, found, text = '']) =>
    found === language ? [text] : [],
  )

const [workflow = ''] = blocks('yaml')
const WRITE = (blocks('sh')[0] ?? '').trim()
const LINT = /run: (npx hintgate lint .*)$/m.exec(workflow)?.[1] ?? ''

/** Runs the commands of the page unchanged, in a folder with a server and an installed `hintgate`. */
function shell(command: string): { code: number | null; stderr: string } {
  const env = { ...process.env, PATH: `${join(folder, 'bin')}${delimiter}${process.env.PATH}` }
  const { status, stderr } = spawnSync('sh', ['-c', command], { cwd: folder, encoding: 'utf8', env })
  return { code: status, stderr }
}

interface Sarif {
  readonly runs: { readonly results: { readonly ruleId: string; readonly level: string }[] }[]
}

const sarif = (): Sarif => JSON.parse(readFileSync(join(folder, 'tools.sarif'), 'utf8')) as Sarif
const errors = (): string[] =>
  sarif().runs.flatMap(({ results }) =>
    results.flatMap(({ ruleId, level }) => (level === 'error' ? [ruleId] : [])),
  )

function edit(from: string, to: string): void {
  const path = join(folder, 'server.js')
  const text = readFileSync(path, 'utf8')
  expect(text).toContain(from)
  writeFileSync(path, text.replace(from, to))
}

beforeEach(() => {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(join(folder, 'bin'), { recursive: true })
  cpSync(join(ROOT, 'examples/notes-server.mjs'), join(folder, 'server.js'))
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  // Replaces the real npx, which would look for the package in a registry.
  const npx = join(folder, 'bin/npx')
  writeFileSync(
    npx,
    `#!/bin/sh\nshift\nexec '${process.execPath}' '${join(ROOT, 'packages/gateway/bin/hintgate.js')}' "$@"\n`,
  )
  chmodSync(npx, 0o755)
})

describe.runIf(process.platform !== 'win32')('the page about CI', () => {
  it('passes if the tools match the baseline', () => {
    expect(WRITE).toContain('--write-baseline')
    expect(shell(WRITE).code).toBe(0)
    expect(LINT).toContain('--format sarif')
    expect(shell(LINT).code).toBe(0)
    expect(errors()).toEqual([])
  })

  it('fails with a report to upload if a definition changed', () => {
    shell(WRITE)
    edit('behavior: { idempotent: true }', 'behavior: { idempotent: true, destructive: false }')
    expect(shell(LINT).code).toBe(1)
    expect(errors()).toContain('baseline-changed')
    expect(shell(WRITE).code).toBe(0)
    expect(shell(LINT).code).toBe(0)
  })

  it('fails if a tool was added', () => {
    shell(WRITE)
    edit("name: 'add_note'", "name: 'create_note'")
    expect(shell(LINT).code).toBe(1)
    expect(errors().toSorted()).toEqual(['baseline-added', 'baseline-removed'])
  })

  it('exits with 2 if the server did not start', () => {
    shell(WRITE)
    writeFileSync(join(folder, 'server.js'), 'process.exit(3)')
    expect(shell(LINT)).toMatchObject({ code: 2, stderr: expect.stringContaining('did not start') as string })
  })

  it('exits with 2 if there is no baseline', () => {
    expect(shell(LINT)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--write-baseline') as string,
    })
  })
})
