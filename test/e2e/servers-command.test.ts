// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references are what these tests are about
import { existsSync, readdirSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parse } from 'jsonc-parser'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cleanUp, later } from '../support/clean-up.ts'
import { ClientHome } from '../support/client-home.ts'
import { Site, startGatewayAt } from '../support/gateway.ts'
import { hintgate } from '../support/hintgate.ts'
import { serverFile } from '../support/processes.ts'

afterAll(cleanUp)

const CONFIG = 'project/hintgate.json'
const BOX = [process.execPath, serverFile('stdio.mjs'), '--name', 'box']

let locked: string

beforeAll(async () => {
  const server = createServer((_, response) =>
    response.writeHead(401, { 'WWW-Authenticate': 'Bearer' }).end(),
  )
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  later(() => server.close())
  locked = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
})

function withConfig(text = '{\n  // mine\n  "mcpServers": {}\n}\n'): ClientHome {
  const home = new ClientHome()
  home.put(CONFIG, text)
  return home
}

const serversIn = (home: ClientHome) =>
  (parse(home.read(CONFIG)) as { mcpServers: Record<string, unknown> }).mcpServers

describe('hintgate servers', () => {
  it('adds a program and a URL, and keeps the comments of the config', async () => {
    const home = withConfig()
    await home.json(['servers', 'add', 'files', '--env', 'LEVEL=debug', '--', 'npx', '-y', 'server', '.'])
    await home.json(
      [
        'servers',
        'add',
        'crm',
        '--url',
        'https://crm.example/mcp',
        '--header',
        'Authorization: Bearer ${env:CRM}',
        '--trust',
        'trusted',
      ],
      { CRM: 'x' },
    )
    expect(serversIn(home)).toEqual({
      files: { command: 'npx', args: ['-y', 'server', '.'], env: { LEVEL: 'debug' }, trust: 'reviewed' },
      crm: {
        url: 'https://crm.example/mcp',
        headers: { Authorization: 'Bearer ${env:CRM}' },
        trust: 'trusted',
      },
    })
    expect(home.read(CONFIG)).toContain('// mine')
  })

  it('stores a secret outside the config, never shows it, and removes it with its server', async () => {
    const home = withConfig()
    const args = [
      'servers',
      'add',
      'far',
      '--url',
      'https://far.example/mcp',
      '--header',
      'X-Api-Key: hunter2',
    ]
    expect((await home.hintgate(args)).code).toBe(0)
    expect(home.read(CONFIG)).not.toContain('hunter2')
    expect(readdirSync(home.path('.hintgate/secrets'))).toEqual(['far.X-Api-Key'])
    expect((await home.hintgate(['servers', 'show', 'far'])).stdout).toContain(
      '${file:~/.hintgate/secrets/far.X-Api-Key}',
    )
    await home.json(['servers', 'remove', 'far'])
    expect([serversIn(home), readdirSync(home.path('.hintgate/secrets'))]).toEqual([{}, []])
  })

  it('masks secrets written into the config by hand', async () => {
    const home = withConfig('{ "mcpServers": { "a": { "command": "x", "env": { "API_KEY": "hunter2" } } } }')
    for (const command of [['show', 'a'], ['show', 'a', '--json'], ['list'], ['list', '--json']]) {
      const { code, stdout } = await home.hintgate(['servers', ...command])
      expect([code, stdout.includes('hunter2')]).toEqual([0, false])
    }
  })

  it('runs a program in the folder where it was added', async () => {
    const home = new ClientHome()
    await home.json(['servers', 'add', 'here', '--', 'x', '.'])
    const { mcpServers } = parse(home.read('.hintgate/hintgate.json')) as {
      mcpServers: { here: { cwd: string } }
    }
    expect(mcpServers.here.cwd).toBe(home.project)
  })

  it('tests a server: its protocol, its tools, or why it failed', async () => {
    const home = withConfig()
    await home.hintgate(['servers', 'add', 'box', '--', ...BOX])
    await home.hintgate(['servers', 'add', 'none', '--', 'no-such-program'])
    await home.hintgate(['servers', 'add', 'locked', '--url', locked])
    await home.hintgate([
      'servers',
      'add',
      'sick',
      '--',
      process.execPath,
      '-e',
      'console.error("no key given"); process.exit(3)',
    ])
    const [box] = await home.json<{ tools: number }[]>(['servers', 'test', 'box'])
    expect(box).toMatchObject({
      server: 'box',
      ok: true,
      era: expect.stringMatching(/legacy|modern/),
      hints: { declared: expect.any(Number) },
    })
    expect(box?.tools).toBeGreaterThan(0)
    const all = await home.hintgate(['servers', 'test'])
    expect(all.code).toBe(1)
    expect(all.stdout).toMatch(/^ok box: speaks 20\S+ \(\w+\), \d+ tools, \d+ % of their hints declared$/m)
    expect(all.stdout).toMatch(
      /failed none: .*does not exist on this machine\n {2}fix: install the program, or correct mcpServers\.none\.command/,
    )
    expect(all.stdout).toMatch(/failed locked: .*HTTP 401\n {2}fix: add "headers"/)
    expect(all.stdout).toMatch(/failed sick: .*\n(?: {2}\| no key given\n)+ {2}fix: /)
  })

  it('says if there is nothing to test, and prints each result as it arrives', async () => {
    const empty = await withConfig().hintgate(['servers', 'test'])
    expect([empty.code, empty.stdout]).toEqual([0, expect.stringMatching(/^No servers yet\. /)])
    const slow = { command: process.execPath, args: ['-e', 'setTimeout(() => process.exit(3), 1000)'] }
    const home = withConfig()
    home.put(CONFIG, { mcpServers: { slow, box: { command: BOX[0], args: BOX.slice(1) } } })
    const { stdout } = await home.hintgate(['servers', 'test'])
    expect(stdout).toMatch(/^ok box: .*\nfailed slow: /)
    const doctor = await home.hintgate(['doctor', '--connect'])
    expect(doctor.stderr).toBe('hintgate: waiting for slow, box\n')
  })

  it('says if a server has no stored credentials', async () => {
    const home = withConfig('{ "mcpServers": { "a": { "command": "x" } } }')
    const done = await home.hintgate(['servers', 'logout', 'a'])
    expect(done).toMatchObject({
      code: 0,
      stdout: 'No credentials are stored for a: its entry in the config has no "oauth".\n',
      stderr: '',
    })
  })

  it('tests one server without the secrets of the others', async () => {
    const home = withConfig(
      '{ "mcpServers": { "other": { "command": "x", "env": { "K": "${env:NOT_SET_ANYWHERE}" } } } }',
    )
    const own = { mcpServers: { ...serversIn(home), box: { command: BOX[0], args: BOX.slice(1) } } }
    home.put(CONFIG, own)
    expect(await home.json(['servers', 'test', 'box'])).toMatchObject([{ ok: true }])
  })

  it('applies changes to a running gateway', async () => {
    const gateway = await startGatewayAt(new Site({}))
    const { flags } = gateway.site
    await hintgate(['servers', 'add', 'late', ...flags, '--trust', 'trusted', '--', ...BOX])
    await gateway.says(/late is ready/)
    const { code } = await hintgate(['servers', 'remove', 'late', ...flags])
    await gateway.says(/reloaded the configuration/)
    expect(code).toBe(0)
  })

  it('sets and resets trust', async () => {
    const home = withConfig('{ "mcpServers": { "a": { "command": "x" } } }')
    await home.json(['servers', 'trust', 'a'])
    expect(serversIn(home).a).toEqual({ command: 'x', trust: 'trusted' })
    await home.json(['servers', 'trust', 'a', '--reviewed'])
    expect(serversIn(home).a).toEqual({ command: 'x', trust: 'reviewed' })
  })

  it.each([
    [['add', 'a', '--', 'y'], 1, 'explain server_exists'],
    [['add', 'b'], 2, 'use either --url with a URL, or -- followed by a program'],
    [['add', 'b', '--url', 'https://x.example', '--', 'y'], 2, 'explain flag_invalid'],
    [['add', 'b', '--url', 'nowhere'], 2, 'mcpServers.b.url'],
    [['add', 'b c', '--', 'y'], 2, 'invalid server name'],
    [['add', 'b', '--env', 'nothing', '--', 'y'], 2, 'expected NAME=value'],
    [['add', 'b', '--trust', 'much', '--', 'y'], 2, 'expected reviewed or trusted'],
    [['show', 'z'], 2, 'explain unknown_server'],
    [['remove', 'z'], 2, 'explain unknown_server'],
    [['test', 'z'], 2, 'explain unknown_server'],
    [['trust', 'z'], 2, 'explain unknown_server'],
    [['frob'], 2, 'unknown command'],
  ])('refuses %j and leaves the config unchanged', async (args, code, says) => {
    const text = '{ "mcpServers": { "a": { "command": "x" } } }'
    const home = withConfig(text)
    const done = await home.hintgate(['servers', ...args])
    expect([done.code, done.stderr]).toEqual([code, expect.stringContaining(says)])
    expect([home.read(CONFIG), existsSync(home.path('.hintgate/secrets'))]).toEqual([text, false])
  })
})
