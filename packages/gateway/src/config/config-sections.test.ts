import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  folder,
  load,
  loadText,
  onlyProblem,
  problemsOf,
  serverOf,
  write,
} from './test-support/config-folder.ts'

describe('servers', () => {
  it.each([
    [{ url: 'https://a.example/mcp' }, 'http'],
    [{ serverUrl: 'https://a.example/mcp' }, 'http'],
    [{ httpUrl: 'https://a.example/mcp' }, 'http'],
    [{ url: 'http://127.0.0.1:1/sse', type: 'sse' }, 'sse'],
    [{ url: 'http://127.0.0.1:1/sse', transport: 'sse' }, 'sse'],
    [{ url: 'http://127.0.0.1:1/', type: 'streamable-http' }, 'http'],
    [{ url: 'http://127.0.0.1:1/', type: 'streamableHttp', args: [], env: {} }, 'http'],
    [{ command: 'x', type: 'stdio' }, 'stdio'],
    [{ command: 'x' }, 'stdio'],
  ])('are read in every spelling of clients: %j', (fields, kind) => {
    expect(serverOf(fields).transport.kind).toBe(kind)
  })

  it('have defaults, and accept durations as strings and milliseconds', () => {
    expect(serverOf({ command: 'x' })).toMatchObject({
      enabled: true,
      lazy: false,
      timeoutMs: 60_000,
      startTimeoutMs: 30_000,
      concurrency: 64,
      queue: 256,
      isolation: 'shared',
      roots: [],
      passMethods: [],
      parallel: 'free',
      checkArguments: true,
      retry: { attempts: 3, delayMs: 100, maxDelayMs: 5000, budget: 0.2 },
    })
    expect(
      serverOf({ command: 'x', timeout: '1.5m', startTimeout: 500, queue: 0, disabled: true }),
    ).toMatchObject({
      enabled: false,
      timeoutMs: 90_000,
      startTimeoutMs: 500,
      queue: 0,
    })
    expect(serverOf({ command: 'x', enabled: false }).enabled).toBe(false)
  })

  it('configure or disable retries', () => {
    expect(serverOf({ command: 'x', retry: false }).retry.attempts).toBe(1)
    const retry = { attempts: 5, delay: '1s', maxDelay: '10s', budget: 0.5 }
    expect(serverOf({ command: 'x', retry }).retry).toEqual({
      attempts: 5,
      delayMs: 1000,
      maxDelayMs: 10_000,
      budget: 0.5,
    })
    for (const wrong of [
      true,
      { attempts: 0 },
      { attempts: 11 },
      { budget: 2 },
      { delay: 'soon' },
      { tries: 1 },
    ])
      expect(() => serverOf({ command: 'x', retry: wrong })).toThrow()
  })

  it('have paths relative to the config file', () => {
    mkdirSync(join(folder, 'sub'))
    write(
      '{ "mcpServers": { "a": { "command": "./server", "cwd": "work" } }, "store": "sqlite:a.db" }',
      'sub/c.json',
    )
    const { config } = load({ path: 'sub/c.json' })
    expect(config.store).toBe(`sqlite:${join(folder, 'sub/a.db')}`)
    expect(config.servers[0]?.transport).toMatchObject({
      command: join(folder, 'sub/server'),
      cwd: join(folder, 'sub/work'),
    })
    expect(serverOf({ command: '~/bin/x' }).transport).toMatchObject({ command: join(folder, 'me/bin/x') })
  })

  it.each(['NODE_OPTIONS', 'node_options', 'LD_PRELOAD', 'LD_LIBRARY_PATH', 'DYLD_INSERT_LIBRARIES'])(
    'cannot set %s',
    name => {
      const problem = onlyProblem({ mcpServers: { crm: { command: 'x', env: { [name]: 'y' } } } })
      expect(problem).toContain(`mcpServers.crm.env.${name}: ${name} would load code into the server`)
    },
  )

  it.each([
    [{ command: 'x', url: 'https://a.example' }, 'url: command and url '],
    [{ url: 'https://a.example', serverUrl: 'https://b.example' }, 'serverUrl: url and serverUrl '],
    [{ url: 'https://a.example', type: 'stdio' }, 'type: stdio requires "command"'],
    [{ command: 'x', transport: 'sse' }, 'transport: sse requires "url"'],
    [{ url: 'https://a.example', type: 'http', transport: 'sse' }, 'transport: conflicts with "type"'],
    [{ url: 'https://a.example', args: ['x'] }, 'args: has no effect for an HTTP server'],
    [{ command: 'x', headers: { A: 'b' } }, 'headers: has no effect for a stdio server'],
    [{ command: 'x', enabled: true, disabled: true }, 'disabled: conflicts with "enabled"'],
    [{ command: 'x', roots: 'client' }, "roots: one agent would choose the server's folders for all agents"],
    [{ command: 'x', roots: ['/srv'] }, 'roots[0]: expected a folder such as "file:///srv/data"'],
    [{ command: 'x', roots: 'agent' }, 'roots: expected folders such as ["file:///srv/data"], or "client"'],
    [{ url: 'https://a.example', headers: { 'A B': 'c' } }, 'headers."A B": invalid HTTP header'],
    [{ url: 'https://a.example', headers: { A: 'b\r\nC: d' } }, 'headers.A: invalid HTTP header'],
    [{ url: 'https://me:pw@a.example' }, 'url: expected a URL'],
  ])('with conflicting keys are refused: %j', (fields, expected) => {
    expect(onlyProblem({ mcpServers: { crm: fields } })).toContain(`mcpServers.crm.${expected}`)
  })
})

describe('agent tokens', () => {
  const entry = {
    permissions: ['read', 'write', 'destructive', 'retrieve_tools', 'call_tool_read'],
    servers: ['*'],
  }

  it('accept short permission names, tools, a secret and an expiry', () => {
    const token = '0123456789abcdefghijklmnopqrstuvwxyz'
    const bot = { ...entry, tools: ['crm:get_*'], token: `\${env:BOT}`, expires: '2027-01-31' }
    expect(loadText({ agent_tokens: { bot } }, { env: { BOT: token } }).config.agentTokens).toEqual([
      {
        name: 'bot',
        scope: {
          permissions: ['call_tool_read', 'call_tool_write', 'call_tool_destructive', 'retrieve_tools'],
          servers: ['*'],
          tools: ['crm:get_*'],
        },
        token,
        expiresAt: Date.UTC(2027, 1, 1) - 1,
      },
    ])
  })

  it.each(['short', 'changeme', 'a'.repeat(40), `${'abcdefgh'.repeat(4)} x`])(
    'refuse the secret %j',
    token => {
      expect(onlyProblem({ agent_tokens: { bot: { ...entry, token } } })).toContain('expected a secret of 32')
    },
  )

  it('cannot share a secret', () => {
    const token = '0123456789abcdefghijklmnopqrstuvwxyz'
    const both = { a: { ...entry, token }, b: { ...entry, token } }
    expect(onlyProblem({ agent_tokens: both })).toContain('agent_tokens.b.token: a has the same secret')
  })

  it.each(['30d', '2027-02-30', '2027-13-01', 'tomorrow', '2027-01-31T12:00'])(
    'cannot expire at %j',
    expires => {
      expect(onlyProblem({ agent_tokens: { bot: { ...entry, expires } } })).toContain(
        'expected a date, or a date and time',
      )
    },
  )
})

describe('listening', () => {
  it.each(['127.0.0.1:4428', '127.1.2.3:0', 'localhost:1', '[::1]:65535', 'LOCALHOST:1'])(
    'on %s is allowed',
    listen => {
      expect(problemsOf({ listen })).toEqual([])
    },
  )

  it.each([
    '0.0.0.0:4428',
    '[::]:1',
    '10.0.0.1:1',
    'localhost.example:1',
    '127.0.0.1.example:1',
    '[::ffff:1.2.3.4]:1',
  ])('on %s requires TLS or a proxy', listen => {
    const problem = onlyProblem({ listen })
    expect(problem).toMatch(/^listen: /)
    expect(problem).toMatch(/"tls".*"behindProxy"/)
    expect(problemsOf({ listen, behindProxy: true })).toEqual([])
    write('', 'cert.pem')
    expect(problemsOf({ listen, tls: { cert: 'cert.pem', key: 'cert.pem' } })).toEqual([])
  })

  it('is checked for flags, which override the file', () => {
    const { config } = loadText(
      { listen: '127.0.0.1:1', store: 'sqlite:a' },
      { flags: { listen: '[::1]:2', store: 'sqlite:b' } },
    )
    expect(config).toMatchObject({ listen: { host: '::1', port: 2 }, store: `sqlite:${join(folder, 'b')}` })
    const [problem, ...more] = problemsOf({}, { flags: { listen: '0.0.0.0:2' } })
    expect(more).toEqual([])
    expect(problem).toMatchObject({ path: '--listen' })
    expect(problemsOf({}, { flags: { listen: '0.0.0.0:2', behindProxy: true } })).toEqual([])
    expect(load({ flags: { home: 'h' } })).toMatchObject({
      home: join(folder, 'h'),
      config: { store: `sqlite:${join(folder, 'h/data/hintgate.db')}` },
    })
  })
})

describe('confirm.acrossSessions', () => {
  it.each([
    [{}, false],
    [{ trifecta: 'declared' }, false],
    [{ trifecta: 'always' }, true],
    [{ trifecta: 'deny' }, true],
    [{ trifecta: 'deny', acrossSessions: false }, false],
    [{ acrossSessions: true }, true],
  ])('defaults to true when trifecta is strict: %j', (confirm, wanted) => {
    expect(loadText(JSON.stringify({ confirm })).config.confirm.acrossSessions).toBe(wanted)
  })
})

describe('a client secret for a server', () => {
  const at = (oauth: object) => ({ mcpServers: { crm: { url: 'https://crm.example/mcp', oauth } } })
  const secret = { clientId: 'hintgate', clientSecret: 'a-secret-0123456789' }

  it.each([{}, { grant: 'client_credentials' }])('requires an issuer: %j', fields => {
    expect(onlyProblem(at({ ...fields, ...secret }))).toBe(
      'mcpServers.crm.oauth.clientSecret: the secret would be sent to any authorization server that the server names → add the issuer that gave you the secret: "issuer": "https://…"',
    )
    expect(problemsOf(at({ ...fields, ...secret, issuer: 'https://id.example' }))).toEqual([])
  })

  it('needs no issuer when absent', () => {
    expect(problemsOf(at({ clientId: 'hintgate' }))).toEqual([])
  })
})

describe('issuers', () => {
  const grants = [{ when: {}, role: 'viewer' }]
  const at = (...issuers: string[]) => ({
    oauth: { resource: 'https://mcp.example', issuers: issuers.map(issuer => ({ issuer, grants })) },
  })

  it('on one host are distinguished by their paths', () => {
    const { oauth } = loadText(
      at('https://id.example/a', 'https://id.example/b', 'https://x.example/c'),
    ).config
    expect(oauth?.issuers.map(({ domain }) => domain)).toEqual(['id.example/a', 'id.example/b', 'x.example'])
  })

  it.each([
    ['https://id.example/a', 'https://id.example/a'],
    ['https://id.example/a', 'https://id.example/a/'],
    ['https://id.example/?tenant=a', 'https://id.example/?tenant=b'],
  ])('that cannot be distinguished are refused: %s and %s', (one, other) => {
    expect(onlyProblem(at(one, other))).toMatch(/^oauth\.issuers\[1\]\.issuer: .*NAME@id\.example/)
  })

  it('with invalid URLs are reported as such', () => {
    expect(onlyProblem(at('id.example', 'https://id.example'))).toContain('expected a URL')
  })
})
