import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { renderProblems } from '../base/errors/problem.ts'
import { loadConfig } from './load-config.ts'
import {
  folder,
  load,
  loadText,
  onlyProblem,
  problemsOf,
  serverOf,
  write,
} from './test-support/config-folder.ts'

describe('the config file', () => {
  it('is optional; without it, every key has its default', () => {
    const { config, path, home } = load()
    expect(path).toBeUndefined()
    expect(home).toBe(join(folder, 'me/.hintgate'))
    expect(config).toEqual({
      listen: { host: '127.0.0.1', port: 4428 },
      store: `sqlite:${join(folder, 'me/.hintgate/data/hintgate.db')}`,
      profile: 'gateway',
      intent: 'strict',
      quarantine: true,
      search: { semantic: false, folder },
      confirm: {
        read: 'never',
        write: 'never',
        destructive: 'always',
        trifecta: 'declared',
        provenance: 'targets',
        acrossSessions: false,
        channel: 'any',
        remember: [],
        approvers: [],
        validMs: 600_000,
        waitMs: 0,
        longestMs: 604_800_000,
      },
      servers: [],
      agentTokens: [],
      toolsets: [],
      notify: [],
      overrides: {},
      policies: [],
      policyDefault: 'allow',
      guardrails: [],
      results: { schema: 'flag', secrets: 'off', pii: 'off', hidden: 'flag', instructions: 'flag' },
      audit: { failOpenReads: false },
      log: { format: 'text', level: 'info' },
      telemetry: { headers: {}, tracesPerSecond: 100, metricsEveryMs: 60_000 },
      serverRules: {},
      limits: {
        bodyBytes: 4_194_304,
        headerBytes: 16_384,
        batch: 100,
        jsonDepth: 100,
        members: 50_000,
        sessions: 10_000,
        sessionsPerPrincipal: 1000,
        sessionIdleMs: 1_800_000,
        parkedCalls: 1000,
        parkedPerPrincipal: 250,
        parkedMs: 600_000,
        streams: 2000,
        streamsPerPrincipal: 500,
        streamBytes: 4_194_304,
        concurrentCalls: 1000,
        callsPerPrincipal: 250,
        bodyBytesPerPrincipal: 67_108_864,
        bodyMs: 10_000,
        unreadMs: 30_000,
        unreadBytesPerPrincipal: 67_108_864,
        unreadBytes: 536_870_912,
        connections: 10_000,
        resultBytes: 33_554_432,
        answerChars: 40_000,
        keptMs: 3_600_000,
        keptBytesPerPrincipal: 67_108_864,
        keptBytes: 1_073_741_824,
        batchReads: 20,
      },
      allowedHosts: [],
      allowedOrigins: [],
      behindProxy: false,
      drainMs: 10_000,
    })
  })

  it('is read from the named path, the working folder, then the home folder', () => {
    const named = (name: string) => `{ "listen": "127.0.0.1:${name}" }`
    mkdirSync(join(folder, 'me/.hintgate'), { recursive: true })
    write(named('4'), 'me/.hintgate/hintgate.json')
    expect(load().config.listen.port).toBe(4)
    write(named('3'))
    expect(load().config.listen.port).toBe(3)
    write(named('2'), 'two.json')
    expect(load({ env: { HINTGATE_CONFIG: 'two.json' } }).config.listen.port).toBe(2)
    write(named('1'), 'one.json')
    expect(load({ path: 'one.json', env: { HINTGATE_CONFIG: 'two.json' } })).toMatchObject({
      path: join(folder, 'one.json'),
      config: { listen: { port: 1 } },
    })
  })

  it('must exist when it is named', () => {
    expect(() => load({ path: 'none.json' })).toThrow('none.json')
    expect(() => load({ env: { HINTGATE_CONFIG: folder } })).toThrow(folder)
  })

  it('may have comments, trailing commas and a byte order mark', () => {
    const { config } = loadText('\uFEFF// mine\n{ "intent": "warn", /* so */ "mcpServers": {}, }\n')
    expect(config.intent).toBe('warn')
  })

  it('loads the example of the design', () => {
    const { config } = loadText(
      `{
        "listen": "127.0.0.1:4428",
        "store": "sqlite:data/hintgate.db",            // or postgres
        "profile": "gateway", "intent": "strict", "quarantine": true,
        "confirm": { "read": "never", "write": "never", "destructive": "always", "trifecta": "declared" },
        "mcpServers": {
          "files": { "command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem", "."] },
          "crm": { "url": "https://crm.example/mcp", "headers": { "Authorization": "Bearer \${env:CRM}" }, "trust": "trusted" }
        },
        "agent_tokens": {
          "reporting-bot": { "permissions": ["call_tool_read", "retrieve_tools"], "servers": ["database", "analytics"] }
        },
        "overrides": { "crm": { "merge_contacts": { "destructiveHint": true } } },
        "policies": ["policies/*.yaml"],
        "guardrails": [ { "rule": "allow_domains", "field": "to", "domains": ["example.com"] } ]
      }`,
      { env: { CRM: 's3cret' } },
    )
    expect(config).toMatchObject({
      store: `sqlite:${join(folder, 'data/hintgate.db')}`,
      servers: [
        { name: 'files', trust: 'reviewed', transport: { kind: 'stdio', command: 'npx', cwd: folder } },
        {
          name: 'crm',
          trust: 'trusted',
          transport: { kind: 'http', headers: { Authorization: 'Bearer s3cret' } },
        },
      ],
      agentTokens: [
        {
          name: 'reporting-bot',
          scope: { permissions: ['call_tool_read', 'retrieve_tools'], servers: ['database', 'analytics'] },
        },
      ],
      overrides: { crm: { merge_contacts: { hints: { destructive: true } } } },
      policies: [join(folder, 'policies/*.yaml')],
      guardrails: [
        {
          layer: 'global',
          path: ['guardrails'],
          rules: [{ rule: 'allow_domains', field: 'to', domains: ['example.com'] }],
        },
      ],
    })
  })
})

describe('problems', () => {
  it('are all listed in order, each with line, column and fix', () => {
    const text = `{
  "lisen": "127.0.0.1:1",
  "intent": "strickt",
  "mcpServers": {
    "crm": { "url": "ftp://crm", "timeout": "soon" },
    "a__b": { "command": 7 },
    "none": {}
  },
  "quarantine": "yes",
  "intent": "warn"
}`
    const problems = problemsOf(text)
    expect(renderProblems('hintgate.json', problems).replaceAll(/\n {2}fix: .*/g, '')).toBe(
      `hintgate.json:2:3: lisen: unknown key
hintgate.json:3:13: intent: expected one of "strict", "warn", "off"
hintgate.json:5:21: mcpServers.crm.url: expected a URL that starts with http:// or https:// and contains no user name or password
hintgate.json:5:45: mcpServers.crm.timeout: expected a duration: milliseconds, or a string such as "30s", "5m" or "1h"
hintgate.json:6:5: mcpServers.a__b: a name must not contain "__", which separates server and tool
hintgate.json:6:26: mcpServers.a__b.command: expected a string, found a number
hintgate.json:7:13: mcpServers.none: the server has no command and no URL
hintgate.json:9:17: quarantine: expected true or false, found a string
hintgate.json:10:3: intent: this key is a duplicate
`,
    )
    expect(problems.map(problem => problem.fix)).toContain('did you mean "listen"?')
    expect(problems.map(problem => problem.fix)).toContain('did you mean "strict"?')
    expect(problems.every(problem => problem.fix !== '')).toBe(true)
  })

  it.each([
    ['', 1, 1, 'the file is empty'],
    ['{', 1, 2, 'a } is missing'],
    ['{ "a": }', 1, 8, 'expected a value'],
    ["{ 'a': 1 }", 1, 3, 'not a JSON value'],
    ['{\n "a": 1\n "b": 2 }', 3, 2, 'expected a comma'],
    ['{} {}', 1, 4, 'unexpected text after the end'],
    ['[]', 1, 1, 'expected an object, found a list'],
    ['null', 1, 1, 'expected an object, found null'],
    ['{ "__proto__": { "a": 1 } }', 1, 3, 'this key is not allowed'],
    ['['.repeat(50_000), 1, 1, 'the file is nested too deeply'],
  ])('in the syntax are located: %.20s', (text, line, column, message) => {
    expect(problemsOf(text)).toContainEqual(expect.objectContaining({ line, column, message }))
  })

  it.each([
    [
      { mcpServers: { crm: { comand: 'x', command: 'y' } } },
      'mcpServers.crm.comand: unknown key → did you mean "command"?',
    ],
    [
      { limits: { body: '4 potatoes' } },
      'limits.body: expected a size: bytes, or a string such as "64kb" or "4mb"',
    ],
    [
      { limits: { body: true } },
      'limits.body: expected a size: bytes, or a string such as "64kb" or "4mb" → use a form such as',
    ],
    [{ limits: { batch: 0 } }, 'limits.batch: expected at least 1'],
    [{ limits: { batch: 1.5 } }, 'limits.batch: expected a whole number, found a number with a fraction'],
    [{ drain: '100d' }, 'drain: expected a duration from "1ms" to "24d"'],
    [{ mcpServers: [] }, 'mcpServers: expected an object, found a list'],
    [
      { mcpServers: { crm: { command: 'x', args: 'y' } } },
      'mcpServers.crm.args: expected a list, found a string',
    ],
    [
      { mcpServers: { crm: { command: 'x', args: [1] } } },
      'mcpServers.crm.args[0]: expected a string, found a number',
    ],
    [{ mcpServers: { crm: { command: 'x', env: { A: 1 } } } }, 'mcpServers.crm.env.A: expected a string'],
    [
      { overrides: { a: { b: { destructive: true } } } },
      'overrides.a.b.destructive: unknown key → did you mean "destr',
    ],
    [{ store: 'mysql://x' }, 'store: expected a store: sqlite:PATH or postgres://…'],
    [{ listen: '4428' }, 'listen: expected HOST:PORT → use a form such as "127.0.0.1:4428"'],
    [{ listen: '127.0.0.1:65536' }, 'listen: expected HOST:PORT'],
    [{ allowedOrigins: ['https://a.example/'] }, 'allowedOrigins[0]: expected the origin of a web page'],
    [{ allowedOrigins: ['null'] }, 'allowedOrigins[0]: expected the origin of a web page'],
    [{ allowedHosts: ['https://a.example'] }, 'allowedHosts[0]: expected a host name'],
    [
      { agent_tokens: { bot: { permissions: ['read'] } } },
      'agent_tokens.bot: "servers" is missing → add it: a list',
    ],
    [
      { agent_tokens: { bot: { permissions: ['raed'], servers: [] } } },
      'agent_tokens.bot.permissions[0]: expected one',
    ],
    [{ agent_tokens: { 'b t': { permissions: [], servers: [] } } }, 'agent_tokens."b t": invalid agent name'],
    [{ tls: { cert: 'none.pem', key: 'hintgate.json' } }, 'tls.cert: the file does not exist'],
  ])('name what was expected and the fix: %j', (text, expected) => {
    expect(onlyProblem(text)).toContain(expected)
  })

  it.each(['', '-x', 'a b', 'a/b', 'é', 'x'.repeat(65), '.'])('include the invalid server name %j', name => {
    expect(problemsOf({ mcpServers: { [name]: { command: 'x' } } })).toMatchObject([
      { message: 'invalid server name' },
    ])
  })

  it('include names that differ only in case', () => {
    const servers = { Files: { command: 'x' }, files: { command: 'x' } }
    expect(onlyProblem({ mcpServers: servers })).toContain(
      'mcpServers.files: the name differs from "Files" only in case',
    )
  })

  it('never quote a secret', () => {
    const secret = 'hunter2-hunter2'
    const text = {
      store: `\${env:S}`,
      listen: `\${env:S}`,
      intent: `\${env:S}`,
      drain: `\${env:S}`,
      mcpServers: {
        a: { url: `\${env:S}`, headers: { X: `\${env:S}\n` }, timeout: `\${env:S}` },
        b: { command: 'x', env: { A: `\${env:S}\u0000` } },
      },
      agent_tokens: {
        bot: { permissions: [`\${env:S}`], servers: [], token: `\${env:S}`, expires: `\${env:S}` },
      },
      allowedOrigins: [`\${env:S}`],
    }
    const problems = problemsOf(text, { env: { S: secret } })
    expect(problems.length).toBeGreaterThan(9)
    expect(JSON.stringify(problems)).not.toContain('hunter2')
  })
})

describe('references', () => {
  it('are replaced by variables and file contents, also inside a string', () => {
    write('from-file\n', 'secret.txt')
    const server = serverOf(
      {
        command: 'x',
        args: [`--a=\${env:A}-\${file:secret.txt}`, `\${env:EMPTY}`],
        env: { B: `\${file:./secret.txt}` },
      },
      { env: { A: 'one', EMPTY: '' } },
    )
    expect(server.transport).toMatchObject({ args: ['--a=one-from-file', ''], env: { B: 'from-file' } })
  })

  it('are recorded: the secrets of a server, and the written form of a rule', () => {
    write('from-file', 'secret.txt')
    const { config } = loadText(
      {
        mcpServers: {
          a: { command: `\${env:HOME}/x`, args: [`\${env:A}`, `--b=\${file:secret.txt}`] },
          b: { url: 'https://b.example' },
        },
        guardrails: [{ rule: 'keyword_block', keywords: ['plain', `\${env:A}`] }],
      },
      { env: { A: 'one', HOME: '/home/ada' } },
    )
    expect(config.servers.map(({ transport }) => transport.confided)).toEqual([
      ['one', 'from-file'],
      undefined,
    ])
    expect(config.guardrails).toMatchObject([
      {
        rules: [{ rule: 'keyword_block', keywords: ['plain', 'one'] }],
        written: [{ rule: 'keyword_block', keywords: ['plain', `\${env:A}`] }],
      },
    ])
  })

  it('are replaced only once, so a value that looks like a reference is kept', () => {
    const server = serverOf({ command: 'x', args: [`\${env:A}`] }, { env: { A: `\${env:B}`, B: 'no' } })
    expect(server.transport).toMatchObject({ args: [`\${env:B}`] })
  })

  it('without a target are reported once each, without further problems', () => {
    const text = {
      mcpServers: { crm: { url: `\${env:CRM_URL}`, headers: { A: `\${file:none.txt}` } } },
      quarantine: 1,
    }
    expect(problemsOf(text).map(problem => [problem.path, problem.message])).toEqual([
      ['mcpServers.crm.url', 'the environment variable CRM_URL is not set'],
      ['mcpServers.crm.headers.A', `the file ${join(folder, 'none.txt')} cannot be read (ENOENT)`],
      ['quarantine', 'expected true or false, found a number'],
    ])
  })

  it('do not read inherited properties', () => {
    expect(problemsOf({ store: `sqlite:\${env:constructor}` })).toMatchObject([
      { message: 'the environment variable constructor is not set' },
    ])
  })

  it('are ignored in skipped sections', () => {
    write(`{ "intent": "warn", "mcpServers": { "a": { "url": "\${env:NONE}" } } }`)
    const skip = ([section]: readonly (string | number)[]) => section === 'mcpServers'
    const { config } = loadConfig({ env: {}, cwd: folder, homeDir: folder, skip })
    expect(config).toMatchObject({ intent: 'warn', servers: [] })
  })
})
