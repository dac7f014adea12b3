import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { afterAll, describe, expect, it } from 'vitest'
import { cleanUp } from '../support/clean-up.ts'
import { ClientHome } from '../support/client-home.ts'
import { run } from '../support/processes.ts'
import { StdioClient } from '../support/stdio-client.ts'

afterAll(cleanUp)

interface Report {
  readonly file: string
  readonly token: string
  readonly wrote: boolean
  readonly connected: boolean
  readonly backup?: string
  readonly replaced: readonly string[]
  readonly kept: readonly { name: string; why: string }[]
  readonly diff: string
}

const TOKEN = expect.stringMatching(/^Bearer hg_agent_[\w-]{43}$/)
const URL = 'http://127.0.0.1:4428/mcp'
const JSON_TEXT = '{\r\n\t"theme": "dark",\r\n\t"mcpServers": { "mine": { "command": "x" } }\r\n}'
const WITH_NOTES = '{\n  // mine\n  "mcpServers": {\n    "mine": { "command": "x" }, // keep\n  },\n}\n'

const CASES = [
  {
    client: 'claude-code',
    file: '.claude.json',
    text: JSON_TEXT,
    entry: { type: 'http', url: URL, headers: { Authorization: TOKEN } },
  },
  {
    client: 'cursor',
    file: '.cursor/mcp.json',
    text: WITH_NOTES,
    entry: { url: URL, headers: { Authorization: TOKEN } },
  },
  {
    client: 'windsurf',
    file: '.codeium/windsurf/mcp_config.json',
    text: '{}',
    entry: { serverUrl: URL, headers: { Authorization: TOKEN } },
  },
  {
    client: 'gemini',
    file: '.gemini/settings.json',
    text: WITH_NOTES,
    entry: { httpUrl: URL, headers: { Authorization: TOKEN } },
  },
  {
    client: 'vscode',
    file: '.config/Code/User/mcp.json',
    text: '\uFEFF{\n  "inputs": [],\n  "servers": {}\n}',
    block: 'servers',
    entry: { type: 'http', url: URL, headers: { Authorization: TOKEN } },
  },
  {
    client: 'codex',
    file: '.codex/config.toml',
    text: '# mine\nmodel = "o3"  # best\n\n[mcp_servers.mine]\ncommand = "x"',
    entry: undefined,
  },
  {
    client: 'mcpproxy',
    file: '.mcpproxy/mcp_config.json',
    text: '{"mcpServers": [{"name": "mine", "command": "x"}]}',
    entry: { name: 'hintgate', url: URL, headers: { Authorization: TOKEN }, protocol: 'http', enabled: true },
  },
  {
    client: 'claude-desktop',
    file: '.config/Claude/claude_desktop_config.json',
    text: '',
    entry: {
      command: process.execPath,
      args: expect.arrayContaining(['stdio', '--agent', 'claude-desktop']),
    },
  },
] as const

const tokens = async (home: ClientHome): Promise<Record<string, string>> => {
  const list = await home.json<{ name: string; status: string }[]>(['tokens', 'list'])
  return Object.fromEntries(list.map(({ name, status }) => [name, status]))
}

/** The servers of a JSON file with comments. */
async function serversOf(text: string, block = 'mcpServers'): Promise<unknown> {
  const { parse } = await import('jsonc-parser')
  return (parse(text.replace('\uFEFF', '')) as Record<string, unknown>)[block]
}

describe.each(CASES)('connecting $client', ({ client, file, text, entry, ...more }) => {
  it('adds the gateway with its own token; disconnect restores the file byte for byte', async () => {
    const home = new ClientHome()
    const path = home.put(file, text)
    chmodSync(path, 0o640)
    const shown = await home.hintgate(['connect', client])
    expect([shown.code, shown.stdout]).toEqual([0, expect.stringContaining('Nothing was written')])
    expect(home.read(file)).toBe(text)
    const report = await home.json<Report>(['connect', client, '--yes'])
    expect(report).toMatchObject({ wrote: true, connected: true, token: client, replaced: [] })
    expect(report.diff).not.toMatch(/hg_agent_[\w-]{20}/)
    const after = home.read(file)
    if (entry === undefined)
      expect(after).toMatch(
        /^# mine\nmodel = "o3" {2}# best\n\n\[mcp_servers.mine\]\ncommand = "x"\n\n\[mcp_servers.hintgate\]\nurl = "http:\/\/127.0.0.1:4428\/mcp"\nhttp_headers = \{ Authorization = "Bearer hg_agent_[\w-]{43}" \}\n$/,
      )
    else {
      const servers = await serversOf(after, 'block' in more ? more.block : 'mcpServers')
      expect(Array.isArray(servers) ? servers.at(-1) : (servers as { hintgate: object }).hintgate).toEqual(
        entry,
      )
    }
    expect(statSync(path).mode & 0o777).toBe(0o640)
    expect(readFileSync(report.backup ?? '', 'utf8')).toBe(text)
    expect(statSync(report.backup ?? '').mode & 0o777).toBe(0o600)
    expect(await home.json(['connect', client, '--yes'])).toMatchObject({ wrote: false, connected: true })
    const undone = await home.json<{ way: string }[]>(['disconnect', client, '--yes'])
    expect(undone).toMatchObject([{ way: 'restored', wrote: true }])
    expect(home.read(file)).toBe(text)
    expect(await tokens(home)).toEqual({ [client]: 'revoked' })
    expect(readdirSync(home.path('.hintgate/connections'))).toEqual([])
  })
})

describe('connecting', () => {
  it('creates a missing file for this user only, and disconnect removes it', async () => {
    const home = new ClientHome()
    const { file } = await home.json<Report>(['connect', 'cursor', '--yes'])
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const undone = await home.json(['disconnect', 'cursor', '--yes'])
    expect(undone).toMatchObject([{ way: 'removed' }])
    expect(readdirSync(home.path('.cursor'))).toEqual([])
  })

  it('follows a symbolic link and keeps it', async () => {
    const home = new ClientHome()
    const target = home.put('dotfiles/cursor.json', WITH_NOTES)
    mkdirSync(home.path('.cursor'))
    symlinkSync(target, home.path('.cursor/mcp.json'))
    await home.json(['connect', 'cursor', '--yes'])
    expect(lstatSync(home.path('.cursor/mcp.json')).isSymbolicLink()).toBe(true)
    expect(home.read('dotfiles/cursor.json')).toContain('"hintgate"')
    await home.json(['disconnect', 'cursor', '--yes'])
    expect(home.read('dotfiles/cursor.json')).toBe(WITH_NOTES)
    expect(readdirSync(home.path('dotfiles'))).toEqual(['cursor.json'])
  })

  it('removes only its own entry if the file has changed since', async () => {
    const home = new ClientHome()
    home.put('.cursor/mcp.json', WITH_NOTES)
    await home.json(['connect', 'cursor', '--yes'])
    home.put('.cursor/mcp.json', home.read('.cursor/mcp.json').replace('// mine', '// mine and yours'))
    const undone = await home.json(['disconnect', 'cursor', '--yes'])
    expect(undone).toMatchObject([{ way: 'edited', backup: expect.any(String) }])
    expect(home.read('.cursor/mcp.json')).toBe(WITH_NOTES.replace('// mine', '// mine and yours'))
    expect(await tokens(home)).toEqual({ cursor: 'revoked' })
  })

  it('moves the servers of a client behind the gateway and back', async () => {
    const home = new ClientHome()
    const text = `{
  "mcpServers": {
    // about a
    "a": { "command": "run-a", "env": { "API_KEY": "hunter2-hunter2" } },
    "asks": { "command": "b", "env": { "K": "\${input:k}" } },
    "c": { "command": "run-c" } // about c
  }
}
`
    home.put('.cursor/mcp.json', text)
    const report = await home.json<Report>(['connect', 'cursor', '--replace', '--yes'])
    expect([report.replaced, report.kept.map(({ name }) => name)]).toEqual([['a', 'c'], ['asks']])
    const kept = (await serversOf(home.read('.cursor/mcp.json'))) as object
    expect(Object.keys(kept)).toEqual(['asks', 'hintgate'])
    const behind = await home.json<{ name: string; trust: string }[]>(['servers', 'list'])
    expect(behind.map(({ name, trust }) => [name, trust])).toEqual([
      ['a', 'reviewed'],
      ['c', 'reviewed'],
    ])
    expect(home.read('.hintgate/hintgate.json')).not.toContain('hunter2')
    home.put('.cursor/mcp.json', `${home.read('.cursor/mcp.json')}\n`)
    await home.json(['disconnect', 'cursor', '--yes'])
    const back = (await serversOf(home.read('.cursor/mcp.json'))) as Record<string, unknown>
    expect(Object.keys(back).toSorted()).toEqual(['a', 'asks', 'c'])
    expect(back.a).toEqual({ command: 'run-a', env: { API_KEY: 'hunter2-hunter2' } })
  })

  it('connects a client to one toolset, with a token for nothing else', async () => {
    const home = new ClientHome()
    const file = '.cursor/mcp.json'
    home.put('project/hintgate.json', { toolsets: { support: ['crm:*'] } })
    await home.json(['connect', 'cursor', '--set', 'support', '--yes'])
    const servers = (await serversOf(home.read(file))) as { hintgate: object }
    expect(servers.hintgate).toMatchObject({ url: 'http://127.0.0.1:4428/mcp/sets/support' })
    expect(await home.json(['tokens', 'show', 'cursor'])).toMatchObject({ sets: ['support'] })
    const { code, stderr } = await home.hintgate(['connect', 'vscode', '--set', 'suport'])
    expect([code, stderr]).toEqual([2, expect.stringContaining('There is no toolset named suport')])
  })

  it('creates one token for each scope', async () => {
    const home = new ClientHome()
    await home.json(['tokens', 'create', 'cursor'])
    const flags = ['--permissions', 'retrieve_tools,read', '--servers', 'crm', '--expires', '30d']
    const user = await home.json<Report>(['connect', 'cursor', '--yes', ...flags])
    const project = await home.json<Report>(['connect', 'cursor', '--scope', 'project', '--yes'])
    expect([user.token, project.token]).toEqual(['cursor-2', 'cursor-project'])
    expect(await home.json(['tokens', 'show', 'cursor-2'])).toMatchObject({
      permissions: ['retrieve_tools', 'call_tool_read'],
      servers: ['crm'],
      expires: expect.any(String),
    })
    await home.json(['disconnect', 'cursor', '--scope', 'project', '--yes'])
    expect(await tokens(home)).toEqual({
      cursor: 'active',
      'cursor-2': 'active',
      'cursor-project': 'revoked',
    })
    expect(await home.json(['disconnect', 'cursor', '--yes'])).toHaveLength(1)
  })

  it('lets a client that supports only stdio start the gateway with the scope of its token', async () => {
    const home = new ClientHome()
    home.put('.hintgate/hintgate.json', { mcpServers: {} })
    await home.json(['connect', 'claude-desktop', '--yes'])
    const file = home.read('.config/Claude/claude_desktop_config.json')
    const { hintgate } = (await serversOf(file)) as { hintgate: { command: string; args: string[] } }
    expect(file).not.toContain('hg_agent_')
    const child = run(hintgate.command, hintgate.args, { env: home.env, cwd: '/' })
    const client = new StdioClient(child)
    expect((await client.initialize()).result).toMatchObject({ serverInfo: { name: 'hintgate' } })
    expect(JSON.stringify((await client.request('tools/list')).result)).toContain('call_tool_destructive')
    await child.stop()
    await home.json(['disconnect', 'claude-desktop', '--yes'])
    const refused = run(hintgate.command, hintgate.args, { env: home.env, cwd: '/' })
    expect([await refused.exited, refused.stderr.items.join('\n')]).toEqual([
      1,
      expect.stringContaining('explain token_unknown'),
    ])
  })

  const REFUSED = [
    {
      what: 'bad JSON',
      text: '{\n  "mcpServers": {\n',
      code: 1,
      says: /mcp\.json:3: the client's config is not valid: .*\n {2}fix: /,
    },
    {
      what: 'a file that is no object',
      text: '[]',
      code: 1,
      says: /not (?:contain )?an object\n {2}fix: /,
    },
    {
      what: 'a server of that name',
      text: '{"mcpServers": {"hintgate": {"url": "http://x"}}}',
      code: 1,
      says: /already has a server named hintgate.*\n {2}fix: Choose another name with --name/,
    },
    {
      what: 'a duplicate block',
      text: '{"mcpServers": {}, "mcpServers": {}}',
      code: 1,
      says: /"mcpServers" occurs twice/,
    },
    {
      what: 'a scope that the client does not have',
      text: '{}',
      flags: ['--scope', 'local'],
      code: 2,
      says: /Cursor supports user or project/,
    },
    {
      what: 'an address that is none',
      text: '{}',
      flags: ['--url', 'here'],
      code: 2,
      says: /expected an address/,
    },
    {
      what: 'a permission that does not exist',
      text: '{}',
      flags: ['--permissions', 'reed'],
      code: 2,
      says: /did you mean read\?/,
    },
  ] as const

  it.each(REFUSED)('refuses $what, and changes nothing', async ({ text, code, says, ...more }) => {
    const home = new ClientHome()
    home.put('.cursor/mcp.json', text)
    const done = await home.hintgate(['connect', 'cursor', '--yes', ...('flags' in more ? more.flags : [])])
    expect([done.code, done.stderr]).toEqual([code, expect.stringMatching(says)])
    expect(home.read('.cursor/mcp.json')).toBe(text)
    expect(readdirSync(home.path('.cursor'))).toEqual(['mcp.json'])
    expect(existsSync(home.path('.hintgate/connections'))).toBe(false)
  })

  it('refuses a read-only file, a folder in its place, and an invalid home', async () => {
    const home = new ClientHome()
    chmodSync(home.put('.cursor/mcp.json', '{}'), 0o444)
    const readOnly = await home.hintgate(['connect', 'cursor', '--yes'])
    expect([readOnly.code, readOnly.stderr]).toEqual([
      1,
      expect.stringMatching(/explain client_file_read_only/),
    ])
    expect(home.read('.cursor/mcp.json')).toBe('{}')
    mkdirSync(home.path('.gemini/settings.json'), { recursive: true })
    const folder = await home.hintgate(['connect', 'gemini', '--yes'])
    expect([folder.code, folder.stderr]).toEqual([1, expect.stringContaining('EISDIR')])
    const homeless = await home.hintgate(['connect', 'cursor', '--yes'], { HOME: '', USERPROFILE: '' })
    expect([homeless.code, homeless.stderr]).toEqual([expect.any(Number), expect.stringContaining('fix:')])
    expect(homeless.code).not.toBe(0)
    expect(await tokens(home)).toEqual({})
  })

  it('refuses to disconnect a client that is not connected', async () => {
    const done = await new ClientHome().hintgate(['disconnect', 'cursor', '--yes'])
    expect([done.code, done.stderr]).toEqual([1, expect.stringContaining('explain client_not_connected')])
  })

  it('revokes the token even if the client’s file is gone', async () => {
    const home = new ClientHome()
    await home.json(['connect', 'cursor', '--yes'])
    renameSync(home.path('.cursor/mcp.json'), home.path('away.json'))
    expect(await home.json(['disconnect', 'cursor', '--yes'])).toMatchObject([{ way: 'gone' }])
    expect(await tokens(home)).toEqual({ cursor: 'revoked' })
  })

  it('revokes the old token if the entry was removed by hand', async () => {
    const home = new ClientHome()
    home.put('.cursor/mcp.json', '{}')
    await home.json(['connect', 'cursor', '--yes'])
    home.put('.cursor/mcp.json', '{}')
    await home.json(['connect', 'cursor', '--yes'])
    expect(await tokens(home)).toEqual({ cursor: 'revoked', 'cursor-2': 'active' })
    await home.json(['disconnect', 'cursor', '--yes'])
    expect([home.read('.cursor/mcp.json'), await tokens(home)]).toEqual([
      '{}',
      { cursor: 'revoked', 'cursor-2': 'revoked' },
    ])
  })

  it('says if the gateway is not running', async () => {
    const done = await new ClientHome().hintgate([
      'connect',
      'cursor',
      '--yes',
      '--url',
      'http://127.0.0.1:9',
    ])
    expect([done.code, done.stdout]).toEqual([0, expect.stringContaining('The gateway is not running yet')])
  })

  it('leaves no token behind if the record cannot be written', async () => {
    const home = new ClientHome()
    home.put('.cursor/mcp.json', '{}')
    mkdirSync(home.path('.hintgate'))
    writeFileSync(home.path('.hintgate/connections'), 'in the way')
    const done = await home.hintgate(['connect', 'cursor', '--yes'])
    expect([done.code, done.stderr]).toEqual([
      1,
      expect.stringMatching(/Cannot write to .*connections.*\n {2}fix:/),
    ])
    expect(home.read('.cursor/mcp.json')).toBe('{}')
    expect(await tokens(home)).toEqual({ cursor: 'revoked' })
  })
})
