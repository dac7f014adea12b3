import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { hintgate } from '../support/hintgate.ts'

describe('the config of a command', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'hintgate-e2e-config-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  const list = (args: string[] = [], env: NodeJS.ProcessEnv = {}) =>
    hintgate(['tokens', 'list', ...args], { cwd: folder, env: { HOME: folder, HINTGATE_CONFIG: '', ...env } })
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text)

  it('exits with 2 when invalid and shows every problem with location and fix', async () => {
    write(
      'hintgate.json',
      '{\n  "store": "mysql:x",\n  "agent_tokens": { "bot": { "permissions": ["reed"] } }\n}\n',
    )
    const { code, stderr, stdout } = await list()
    const file = join(folder, 'hintgate.json')
    expect(stderr.split('\n')).toEqual([
      `${file}:2:12: store: expected a store: sqlite:PATH or postgres://…`,
      '  fix: use a form such as "sqlite:data/hintgate.db"',
      expect.stringContaining(
        `${file}:3:46: agent_tokens.bot.permissions[0]: expected one of "retrieve_tools"`,
      ),
      '  fix: did you mean "read"?',
      '  more: hintgate explain config_invalid',
      '',
    ])
    expect(stdout).toBe('')
    expect(code).toBe(2)
  })

  it('is found in the documented order', async () => {
    mkdirSync(join(folder, '.hintgate'))
    const bad = (key: string) => `{ "store": 1, "${key}": {} }`
    write('.hintgate/hintgate.json', bad('home'))
    expect((await list()).stderr).toContain('.hintgate/hintgate.json:1:12')
    write('hintgate.json', bad('here'))
    expect((await list()).stderr).toContain(join(folder, 'hintgate.json:1:12'))
    write('named.json', bad('named'))
    expect((await list([], { HINTGATE_CONFIG: 'named.json' })).stderr).toContain('named.json:1:12')
    expect((await list(['--config', 'none.json'])).stderr).toContain('none.json:1:1: the file does not exist')
  })

  it('must be a regular file, like the files it refers to, so that a pipe never blocks', async () => {
    execFileSync('mkfifo', [join(folder, 'pipe')])
    const why = 'cannot be read (not a regular file)'
    expect((await list(['--config', 'pipe'])).stderr).toContain(why)
    write('refers.json', JSON.stringify({ store: '\u0024{file:pipe}' }))
    expect((await list(['--config', 'refers.json'])).stderr).toContain(why)
  })
})
