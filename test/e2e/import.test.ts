// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of clients and of ours are what these tests are about
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { parse } from 'jsonc-parser'
import { afterAll, describe, expect, it } from 'vitest'
import { cleanUp } from '../support/clean-up.ts'
import { ClientHome } from '../support/client-home.ts'

afterAll(cleanUp)

interface Report {
  readonly config: string
  readonly wrote: boolean
  readonly servers: readonly { name: string; client: string; original?: string; left: string[] }[]
  readonly agents: readonly string[]
  readonly skipped: readonly { name: string; client: string; why: string }[]
  readonly problems: readonly { code: string }[]
  readonly diff: string
}

const SECRET = 'ghp_1234567890abcdefghijABCDEFGHIJ123456'
const FILES = { command: 'npx', args: ['-y', '@modelcontextprotocol/server-filesystem', '/srv'] }

const own = (home: ClientHome) =>
  parse(home.read('.hintgate/hintgate.json')) as {
    mcpServers: Record<string, Record<string, unknown>>
    agent_tokens?: Record<string, Record<string, unknown>>
  }

describe('hintgate import', () => {
  it('shows the change, and writes nothing without consent', async () => {
    const home = new ClientHome()
    home.put('.cursor/mcp.json', { mcpServers: { gh: { command: 'gh-mcp', env: { GITHUB_TOKEN: SECRET } } } })
    const before = readdirSync(home.folder)
    const { code, stdout } = await home.hintgate(['import'])
    expect([code, stdout]).toEqual([0, expect.stringContaining('Nothing was written')])
    expect(stdout).toContain('+     "gh": {')
    expect(stdout).not.toContain(SECRET)
    expect(readdirSync(home.folder)).toEqual(before)
  })

  it('uses the singular for one server', async () => {
    const home = new ClientHome()
    home.put('.cursor/mcp.json', { mcpServers: { gh: { command: 'gh-mcp' } } })
    const init = await home.hintgate(['init'])
    expect(init.stdout).toContain('Your clients use 1 server. Import it with hintgate import.')
    const { stdout } = await home.hintgate(['import', '--yes'])
    expect(stdout).toContain('Imported 1 server. Its tools wait')
  })

  it('reads the config of every client', async () => {
    const home = new ClientHome()
    home.put('.claude.json', {
      mcpServers: {
        claude: { type: 'http', url: 'https://a.example/mcp', headers: { Authorization: 'Bearer ${KEY}' } },
      },
      projects: { [home.project]: { mcpServers: { 'claude-local': { command: 'l' } } } },
    })
    home.put('project/.mcp.json', { mcpServers: { 'claude-project': { command: 'p' } } })
    home.put('.config/Claude/claude_desktop_config.json', { mcpServers: { desktop: { command: 'd' } } })
    home.put('.cursor/mcp.json', { mcpServers: { cursor: { command: 'c', env: { X: '${env:KEY}' } } } })
    home.put('project/.vscode/mcp.json', {
      servers: { code: { type: 'stdio', command: '${workspaceFolder}/x' } },
    })
    home.put('.codeium/windsurf/mcp_config.json', {
      mcpServers: { surf: { serverUrl: 'https://s.example/mcp' } },
    })
    home.put(
      '.codex/config.toml',
      '# mine\n[mcp_servers.codex]\nurl = "https://x.example/mcp"\nbearer_token_env_var = "KEY"\n',
    )
    home.put(
      '.gemini/settings.json',
      '{ // c\n "mcpServers": { "gem": { "httpUrl": "https://g.example/mcp" }, "old": { "url": "https://o.example/sse", "trust": true } } }',
    )
    home.put('.mcpproxy/mcp_config.json', {
      mcpServers: [{ name: 'proxied', url: 'https://p.example/mcp', protocol: 'http', enabled: false }],
      agent_tokens: { bot: { permissions: ['read'], servers: ['proxied'] } },
    })
    const report = await home.json<Report>(['import', '--yes'], { KEY: 'k' })
    expect([report.wrote, report.skipped, report.problems, report.agents]).toEqual([true, [], [], ['bot']])
    const { mcpServers, agent_tokens } = own(home)
    const rest = { trust: 'reviewed' }
    expect(mcpServers).toEqual({
      claude: { url: 'https://a.example/mcp', headers: { Authorization: 'Bearer ${env:KEY}' }, ...rest },
      'claude-project': { command: 'p', cwd: home.project, ...rest },
      'claude-local': { command: 'l', cwd: home.project, ...rest },
      desktop: { command: 'd', ...rest },
      codex: { url: 'https://x.example/mcp', headers: { Authorization: 'Bearer ${env:KEY}' }, ...rest },
      cursor: { command: 'c', env: { X: '${env:KEY}' }, ...rest },
      gem: { url: 'https://g.example/mcp', ...rest },
      old: { type: 'sse', url: 'https://o.example/sse', ...rest },
      proxied: { url: 'https://p.example/mcp', disabled: true, ...rest },
      code: { command: `${home.project}/x`, cwd: home.project, ...rest },
      surf: { url: 'https://s.example/mcp', ...rest },
    })
    expect(agent_tokens).toEqual({ bot: { permissions: ['read'], servers: ['proxied'] } })
    expect(await home.json(['servers', 'list'], { KEY: 'k' })).toHaveLength(11)
  })

  it('cannot be made to read a file by a reference in a client’s file', async () => {
    const home = new ClientHome()
    home.put('project/.mcp.json', {
      mcpServers: { docs: { type: 'http', url: 'https://x.example/$${X:-{file:~/.ssh/id}}' } },
    })
    home.put('.mcpproxy/mcp_config.json', {
      mcpServers: [],
      agent_tokens: { bot: { permissions: ['read'], servers: ['${file:~/.ssh/id}'] } },
    })
    const report = await home.json<Report>(['import', '--yes'])
    expect(home.read('.hintgate/hintgate.json')).not.toContain('.ssh')
    expect(own(home).mcpServers.docs?.url).toBe('${file:~/.hintgate/secrets/docs.url}')
    expect(home.read('.hintgate/secrets/docs.url')).toBe('https://x.example/${file:~/.ssh/id}')
    expect([report.agents, report.skipped]).toEqual([
      [],
      [expect.objectContaining({ name: 'bot', client: 'mcpproxy' })],
    ])
  })

  it('shows which server receives which variables, and from which file it comes', async () => {
    const home = new ClientHome()
    home.put('project/.mcp.json', {
      mcpServers: { docs: { url: 'https://x.example/${KEY}' }, runs: { command: 'x', args: ['${KEY}'] } },
    })
    const { stdout } = await home.hintgate(['import'], { KEY: 'k' })
    expect(stdout).toMatch(/docs +from claude-code, \S*\.mcp\.json +is sent \$KEY/)
    expect(stdout).toMatch(/runs +from claude-code, \S*\.mcp\.json +is given \$KEY/)
  })

  it('stores secrets in files that only the user can read, and servers receive them', async () => {
    const home = new ClientHome()
    const seen = home.path('seen.json')
    const show =
      'const seen = JSON.stringify([process.argv.slice(1), process.env.API_KEY, process.env.REGION]);' +
      "require('node:fs').writeFileSync(process.env.SEEN, seen); console.error(seen)"
    home.put('.cursor/mcp.json', {
      mcpServers: {
        shows: {
          command: process.execPath,
          args: ['-e', show, '--', '--token', SECRET, '--mode=fast'],
          env: { API_KEY: 'hunter2-hunter2', REGION: 'eu', SEEN: seen },
        },
        far: {
          url: 'https://far.example/mcp?api_key=sk9x8c7v6b5n4m3',
          headers: { Authorization: `Bearer ${SECRET}` },
        },
      },
    })
    const report = await home.json<Report>(['import', 'cursor', '--yes'])
    const config = home.read('.hintgate/hintgate.json')
    for (const secret of [SECRET, 'hunter2', 'sk9x8c7v6b5n4m3']) {
      expect(config).not.toContain(secret)
      expect(JSON.stringify(report)).not.toContain(secret)
    }
    expect(own(home).mcpServers.far).toMatchObject({
      url: 'https://far.example/mcp?api_key=${file:~/.hintgate/secrets/far.url}',
      headers: { Authorization: 'Bearer ${file:~/.hintgate/secrets/far.Authorization}' },
    })
    const secrets = home.path('.hintgate/secrets')
    expect(statSync(secrets).mode & 0o777).toBe(0o700)
    for (const file of readdirSync(secrets))
      expect(statSync(`${secrets}/${file}`).mode & 0o777, file).toBe(0o600)
    const tested = await home.hintgate(['servers', 'test', 'shows', '--json'])
    expect(JSON.parse(home.read('seen.json'))).toEqual([
      ['--token', SECRET, '--mode=fast'],
      'hunter2-hunter2',
      'eu',
    ])
    // Secrets are masked in the output of servers.
    expect(tested.stdout).toContain('--mode=fast')
    for (const secret of [SECRET, 'hunter2']) expect(tested.stdout).not.toContain(secret)
  })

  it('renames servers with the same name, and imports the same server only once', async () => {
    const home = new ClientHome()
    home.put('.claude.json', { mcpServers: { files: FILES, 'my__server x': { command: 'a' } } })
    home.put('.cursor/mcp.json', { mcpServers: { docs: FILES, files: { command: 'other' } } })
    home.put('.gemini/settings.json', {
      mcpServers: {
        one: { command: 'a', env: { TOKEN: 'first-account-1' } },
        two: { command: 'a', env: { TOKEN: 'second-account-2' } },
      },
    })
    const { servers, skipped } = await home.json<Report>(['import', '--yes'])
    expect(servers.map(({ name, original = name }) => [original, name])).toEqual([
      ['files', 'files'],
      ['my__server x', 'my_server-x'],
      ['files', 'files-cursor'],
      ['one', 'one'],
      ['two', 'two'],
    ])
    expect(skipped).toMatchObject([
      { name: 'docs', client: 'cursor', why: 'it is already imported as files' },
    ])
    const again = await home.json<Report>(['import', '--yes'])
    expect([again.wrote, again.servers]).toEqual([false, []])
  })

  it('reports what cannot be imported, and why', async () => {
    const home = new ClientHome()
    home.put('project/.vscode/mcp.json', {
      inputs: [{ id: 'key', type: 'promptString', password: true }],
      servers: { asks: { command: 'a', env: { K: '${input:key}' } } },
    })
    home.put('.claude.json', {
      mcpServers: {
        unset: { command: 'b', env: { K: '${NOT_SET_ANYWHERE}' } },
        odd: { note: 'nothing' },
        worse: 3,
      },
    })
    home.put('.cursor/mcp.json', {
      mcpServers: {
        circle: { url: 'http://localhost:4428/mcp' },
        pipe: { command: 'npx', args: ['-y', '@hintgate/gateway', 'stdio'] },
      },
    })
    const { skipped, wrote } = await home.json<Report>(['import', '--yes'])
    expect(wrote).toBe(false)
    expect(Object.fromEntries(skipped.map(({ name, why }) => [name, why]))).toEqual({
      asks: 'it needs ${input:key}, which only the client can resolve',
      unset: expect.stringContaining('NOT_SET_ANYWHERE, which is not set'),
      odd: 'it has neither a command nor a URL',
      worse: 'its entry is not an object',
      circle: 'it is this gateway',
      pipe: 'it is this gateway',
    })
    expect(existsSync(home.path('.hintgate/hintgate.json'))).toBe(false)
  })

  it('imports the other servers if one needs a variable named like an inherited member', async () => {
    const home = new ClientHome()
    const named = {
      a: { command: 'x', args: ['$toString'] },
      b: { command: 'x', env: { A: '${constructor}' } },
    }
    home.put('.gemini/settings.json', { mcpServers: { ...named, good: { command: 'g' } } })
    home.put(
      '.codex/config.toml',
      '[mcp_servers.c]\nurl = "https://x.example/mcp"\nbearer_token_env_var = "valueOf"\n[mcp_servers.d]\ncommand = "d"\nenv_vars = ["__proto__"]\n',
    )
    const report = await home.json<Report>(['import', '--yes'])
    expect(report.skipped.map(({ name, why }) => [name, why.includes('is not set')])).toEqual(
      expect.arrayContaining(['a', 'b', 'c', 'd'].map(name => [name, true])),
    )
    expect([report.wrote, Object.keys(own(home).mcpServers)]).toEqual([true, ['good']])
  })

  it('imports the other servers if one would be invalid in the config, and says why', async () => {
    const home = new ClientHome()
    home.put('project/.mcp.json', {
      mcpServers: {
        loads: { command: 'x', env: { NODE_OPTIONS: '--require=./x.js' } },
        scheme: { url: 'ftp://x.example/mcp' },
        line: { url: 'https://x.example/mcp', headers: { 'X-Key': 'a\r\nHost: b' } },
        named: { url: 'https://x.example/mcp', headers: { 'a b': 'c' } },
        long: { command: 'x', env: { [`KEY_${'k'.repeat(400)}`]: 'hunter2-hunter2' } },
        filled: { url: '${BASE}/mcp' },
      },
    })
    home.put(
      '.cursor/mcp.json',
      '{"mcpServers":{"proto":{"command":"x","env":{"__proto__":"y"}},"good":{"command":"g"}}}',
    )
    const { skipped, wrote } = await home.json<Report>(['import', '--yes'], { BASE: 'https://base.example' })
    expect(Object.fromEntries(skipped.map(({ name, why }) => [name, why]))).toEqual({
      loads:
        'its entry would be invalid in the config: env.NODE_OPTIONS: NODE_OPTIONS would load code into the server',
      scheme: expect.stringContaining('its entry would be invalid in the config: url: expected a URL'),
      line: 'its entry would be invalid in the config: headers.X-Key: invalid HTTP header',
      named: 'its entry would be invalid in the config: headers.a b: invalid HTTP header',
      proto: 'its entry would be invalid in the config: __proto__: not a valid key',
    })
    expect([wrote, Object.keys(own(home).mcpServers).toSorted()]).toEqual([true, ['filled', 'good', 'long']])
  })

  it('takes our references literally if the client does not support them', async () => {
    const home = new ClientHome()
    home.put('.config/Claude/claude_desktop_config.json', {
      mcpServers: { sly: { command: 'a', args: ['${env:HOME}', '${file:/etc/passwd}'] } },
    })
    await home.json(['import', '--yes'])
    const { args } = own(home).mcpServers.sly as { args: string[] }
    const read = args.map(arg => readFileSync(home.path(arg.slice('${file:~/'.length, -1)), 'utf8'))
    expect(read).toEqual(['${env:HOME}', '${file:/etc/passwd}'])
  })

  it('does not import trust', async () => {
    const home = new ClientHome()
    home.put('.cursor/mcp.json', {
      mcpServers: { a: { command: 'a', trust: 'trusted', alwaysAllow: ['x'] } },
    })
    const { servers } = await home.json<Report>(['import', '--yes'])
    expect(own(home).mcpServers.a).toEqual({ command: 'a', trust: 'reviewed' })
    expect(servers[0]?.left).toEqual(['alwaysAllow'])
  })

  it('adds to an existing config and keeps its comments', async () => {
    const home = new ClientHome()
    home.put(
      'project/hintgate.json',
      '{\n  // mine\n  "mcpServers": {\n    "old": { "command": "o" } // keep\n  }\n}\n',
    )
    home.put('.cursor/mcp.json', { mcpServers: { fresh: { command: 'f' } } })
    await home.json(['import', '--yes'])
    const text = home.read('project/hintgate.json')
    expect(text).toContain('// mine')
    expect(text).toContain('// keep')
    expect(Object.keys((parse(text) as { mcpServers: object }).mcpServers)).toEqual(['old', 'fresh'])
  })

  it('skips a client with a broken config, unless that client is named', async () => {
    const home = new ClientHome()
    home.put('.cursor/mcp.json', '{ "mcpServers": { "a": }')
    home.put('.claude.json', { mcpServers: { good: { command: 'g' } } })
    const all = await home.hintgate(['import', '--yes'])
    expect([all.code, all.stderr]).toEqual([0, expect.stringContaining('mcp.json:1: the client')])
    expect(Object.keys(own(home).mcpServers)).toEqual(['good'])
    const named = await home.hintgate(['import', 'cursor', '--yes'])
    expect([named.code, named.stderr]).toEqual([1, expect.stringContaining('explain client_file_invalid')])
  })

  it('never overwrites a stored secret, whatever the name of a server', async () => {
    const home = new ClientHome()
    const token = 'the-real-token-of-victim-0123456789abcdef'
    home.put('.mcpproxy/mcp_config.json', {
      mcpServers: [],
      agent_tokens: { victim: { permissions: ['read'], servers: ['*'], token } },
    })
    // An earlier release stored the tokens of agents there.
    home.put('.hintgate/secrets/agent.victim', 'of-an-earlier-release-0123456789')
    await home.json(['import', 'mcpproxy', '--yes'])
    const kept = '.hintgate/secrets/agents/victim'
    expect(own(home).agent_tokens?.victim?.token).toBe(`\u0024{file:~/${kept}}`)
    expect(statSync(home.path(kept)).mode & 0o777).toBe(0o600)
    home.put('project/.mcp.json', {
      mcpServers: {
        agent: { command: 'true', env: { victim: SECRET } },
        agents: { command: 'true', env: { victim: SECRET } },
        'agents/victim': { command: 'true', env: { TOKEN: SECRET } },
      },
    })
    await home.json(['import', 'claude-code', '--yes'])
    expect(home.read(kept)).toBe(token)
    expect(home.read('.hintgate/secrets/agent.victim')).toBe('of-an-earlier-release-0123456789')
    expect(own(home).mcpServers.agent?.env).toEqual({
      victim: '${file:~/.hintgate/secrets/agent.victim-2}',
    })
    expect(home.read('.hintgate/secrets/agent.victim-2')).toBe(SECRET)
  })

  it('does not wait for a named pipe in place of a config', async () => {
    const home = new ClientHome()
    home.put('.claude.json', { mcpServers: { good: { command: 'g' } } })
    execFileSync('mkfifo', [home.path('pipe')])
    symlinkSync(home.path('pipe'), home.path('project/.mcp.json'))
    const { code, stderr } = await home.hintgate(['import', '--yes'])
    expect([code, stderr]).toEqual([0, expect.stringContaining('not a regular file')])
    expect(Object.keys(own(home).mcpServers)).toEqual(['good'])
  })

  it('leaves nothing behind if the config is refused', async () => {
    const home = new ClientHome()
    home.put('project/hintgate.json', '{ "mcpServers": {} ')
    home.put('.cursor/mcp.json', { mcpServers: { a: { command: 'a', env: { API_KEY: 'hunter2-hunter2' } } } })
    const { code, stderr } = await home.hintgate(['import', '--yes'])
    expect([code, stderr]).toEqual([2, expect.stringContaining('a } is missing')])
    expect(home.read('project/hintgate.json')).toBe('{ "mcpServers": {} ')
    expect(readdirSync(home.path('.hintgate/secrets'))).toEqual([])
  })

  it('does not overwrite a read-only config', async () => {
    const home = new ClientHome()
    const path = home.put('project/hintgate.json', '{}')
    chmodSync(path, 0o444)
    home.put('.cursor/mcp.json', { mcpServers: { a: { command: 'a' } } })
    const { code, stderr } = await home.hintgate(['import', '--yes'])
    expect([code, stderr]).toEqual([1, expect.stringContaining('explain config_unwritable')])
    expect(readFileSync(path, 'utf8')).toBe('{}')
  })

  it.each([
    [['import', 'curser'], {}, 2, 'did you mean cursor?'],
    [['import', '--scope', 'world'], {}, 2, 'expected user, project, local'],
    [['import'], { HOME: '', USERPROFILE: '' }, 2, 'Set HOME'],
    [['import'], {}, 0, 'There is nothing to import'],
  ])('with %j and environment %j exits with %i', async (args, env, code, text) => {
    const done = await new ClientHome().hintgate(args, env)
    expect([done.code, done.stdout + done.stderr]).toEqual([code, expect.stringContaining(text)])
  })
})

describe('hintgate init', () => {
  it('writes a valid config with comments, and never overwrites one', async () => {
    const home = new ClientHome()
    const { config } = await home.json<{ config: string }>(['init'])
    expect(config).toBe(home.path('project/hintgate.json'))
    expect(home.read('project/hintgate.json')).toContain('// New and changed tools are hidden')
    expect((await home.hintgate(['doctor'])).stdout).not.toContain('config_invalid')
    writeFileSync(config, '{ "listen": "127.0.0.1:1" }')
    const again = await home.hintgate(['init'])
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('explain config_exists')])
    expect(readFileSync(config, 'utf8')).toBe('{ "listen": "127.0.0.1:1" }')
  })

  it('writes to the home with --global, and names the next command', async () => {
    const home = new ClientHome()
    home.put('.cursor/mcp.json', { mcpServers: { a: { command: 'a' }, b: { command: 'b' } } })
    const { code, stdout } = await home.hintgate(['init', '--global'])
    expect([code, stdout]).toEqual([
      0,
      expect.stringContaining('Your clients use 2 servers. Import them with hintgate import'),
    ])
    expect(existsSync(home.path('.hintgate/hintgate.json'))).toBe(true)
  })
})
