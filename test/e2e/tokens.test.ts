import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openStore } from '../../packages/gateway/src/store/open/open-store.ts'
import { loadSecretKey } from '../../packages/gateway/src/tokens/secret-key.ts'
import { createTokens } from '../../packages/gateway/src/tokens/tokens.ts'
import { type Finished, hintgate } from '../support/hintgate.ts'

describe('hintgate tokens', () => {
  let folder: string
  let home: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'hintgate-e2e-tokens-'))
    home = join(folder, 'home')
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  const run = (...args: string[]): Promise<Finished> =>
    hintgate(['tokens', ...args, '--home', home], { cwd: folder, env: { HOME: folder, HINTGATE_CONFIG: '' } })
  const json = async (...args: string[]) => JSON.parse((await run(...args, '--json')).stdout) as unknown
  const gateway = async () => {
    const store = await openStore(`sqlite:${join(home, 'data/hintgate.db')}`)
    return { store, tokens: createTokens({ store, key: loadSecretKey(home) }) }
  }

  it('create prints a token and its scope', async () => {
    const created = await json('create', 'bot')
    expect(created).toEqual({
      name: 'bot',
      token: expect.stringMatching(/^hg_agent_[\w-]{43}$/),
      permissions: ['retrieve_tools', 'call_tool_read'],
      servers: ['*'],
    })
    const { token } = created as { token: string }
    const shown = await Promise.all([
      run('list'),
      run('list', '--json'),
      run('show', 'bot'),
      run('show', 'bot', '--json'),
    ])
    for (const { code, stdout } of shown) {
      expect(code).toBe(0)
      expect(stdout).toContain('bot')
      expect(stdout).not.toContain(token.slice(14))
    }
  })

  it('create and show print its rate and its confirmation rules', async () => {
    const created = await run('create', 'bot', '--rate', '10/1m', '--confirm', 'destructive=never')
    expect(created.stdout).toMatch(/^rate +10\/m\nconfirm +destructive=never$/m)
    const shown = await run('show', 'bot')
    expect(shown).toMatchObject({ code: 0, stderr: '' })
    expect(shown.stdout).toMatch(/^rate +10\/m$/m)
    expect(shown.stdout).toMatch(/^confirm +destructive=never$/m)
  })

  it('create accepts a scope and an expiry', async () => {
    const flags = [
      '--permissions',
      'read,write',
      '--servers',
      'crm, db-*',
      '--tools',
      'crm:get_*',
      '--expires',
      '30d',
    ]
    const created = await json('create', 'bot', ...flags)
    expect(created).toMatchObject({
      permissions: ['call_tool_read', 'call_tool_write'],
      servers: ['crm', 'db-*'],
      tools: ['crm:get_*'],
    })
    const days = (Date.parse((created as { expires: string }).expires) - Date.now()) / 86_400_000
    expect(days).toBeCloseTo(30, 2)
  })

  it('create says how to use the token', async () => {
    const { code, stdout } = await run('create', 'ann', '--admin')
    expect(code).toBe(0)
    expect(stdout).toMatch(/hg_admin_[\w-]{43}\n/)
    expect(stdout).toContain('not shown again')
    expect(stdout).toContain('Authorization: Bearer')
  })

  it('revoke and rotate apply to a running gateway at once', async () => {
    const [bot, cat] = (await Promise.all([json('create', 'bot'), json('create', 'cat')])) as {
      token: string
    }[]
    const { store, tokens } = await gateway()
    expect(await tokens.authenticate(bot?.token ?? '')).toMatchObject({ id: 'agent:bot' })
    expect(await tokens.authenticate(cat?.token ?? '')).toMatchObject({ id: 'agent:cat' })
    let calls = 0
    store.onChange(() => (calls += 1))
    expect((await run('revoke', 'bot')).code).toBe(0)
    expect(await tokens.authenticate(bot?.token ?? '')).toEqual({ code: 'revoked' })
    const rotated = (await json('rotate', 'cat')) as { token: string }
    expect(await tokens.authenticate(cat?.token ?? '')).toEqual({ code: 'unknown' })
    expect(await tokens.authenticate(rotated.token)).toMatchObject({ id: 'agent:cat' })
    await expect.poll(() => calls).toBeGreaterThan(0)
    await store.close()
    expect(await json('list')).toMatchObject([
      { name: 'bot', status: 'revoked' },
      { name: 'cat', status: 'active' },
    ])
  })

  it('of many concurrent first starts share one key, and none is lost', async () => {
    const names = ['a', 'b', 'c', 'd']
    const created = (await Promise.all(names.map(name => json('create', name)))) as { token: string }[]
    const { store, tokens } = await gateway()
    const answers = await Promise.all(created.map(({ token }) => tokens.authenticate(token)))
    expect(answers).toMatchObject(names.map(name => ({ name })))
    await store.close()
  })

  it('cannot be created twice with one name by concurrent commands', async () => {
    const both = await Promise.all([run('create', 'bot'), run('create', 'bot')])
    expect(both.map(({ code }) => code).sort()).toEqual([0, 1])
    expect(both.find(({ code }) => code === 1)?.stderr).toContain('explain name_taken')
  })

  it.each([
    [['create', 'b t'], 2, 'explain token_name_invalid'],
    [['create', 'bot', '--permissions', 'call_tool_raed'], 2, 'did you mean call_tool_read?'],
    [['create', 'bot', '--expires', '2020-01-01'], 2, 'this time is in the past'],
    [['create'], 2, "missing required argument 'name'"],
    [['frobnicate'], 2, 'unknown command'],
    [['revoke', 'nobody'], 1, 'explain token_unknown'],
    [
      ['list', '--store', 'postgres://me:pw@127.0.0.1:1/x'],
      1,
      'postgres://me@127.0.0.1:1/x cannot be reached',
    ],
    [['list', '--store', 'file.db'], 2, '--store: expected a store'],
  ])('%j exits with %i and a reason', async (args, code, message) => {
    const finished = await run(...args)
    expect(finished.stderr).toContain(message)
    expect(finished.code).toBe(code)
    expect(finished.stdout).toBe('')
  })

  it('refuse a key that others can read, with a fix', async () => {
    await run('create', 'bot')
    chmodSync(join(home, 'secret.key'), 0o644)
    const { code, stderr } = await run('create', 'other')
    expect(code).toBe(1)
    expect(stderr).toContain(join(home, 'secret.key'))
    expect(stderr).toContain('chmod 600')
  })

  it('of a name in agent_tokens have the scope given there', async () => {
    const bot = { permissions: ['read'], servers: ['crm'], token: `\${env:NOT_SET_HERE}` }
    const servers = { crm: { url: `\${env:NOT_SET_HERE}` } }
    const config = { store: 'sqlite:here.db', agent_tokens: { bot }, mcpServers: servers }
    writeFileSync(join(folder, 'hintgate.json'), JSON.stringify(config))
    expect(await json('create', 'bot')).toMatchObject({ permissions: ['call_tool_read'], servers: ['crm'] })
    expect(await json('show', 'bot')).toMatchObject({ scope: 'config', status: 'active' })
    expect(readFileSync(join(folder, 'here.db')).length).toBeGreaterThan(0)
    const wider = await run('create', 'bot', '--servers', '*')
    expect(wider.code).toBe(2)
    expect(wider.stderr).toContain('agent_tokens')
  })

  it('show an example in --help', async () => {
    for (const command of ['create', 'list', 'show', 'revoke', 'rotate']) {
      const { code, stdout } = await hintgate(['tokens', command, '--help'])
      expect(code).toBe(0)
      expect(stdout).toContain(`$ hintgate tokens ${command}`)
    }
  })
})
