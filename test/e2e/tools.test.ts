import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cleanUp } from '../support/clean-up.ts'
import { type Gateway, Site, startReadyGateway, stdioServer } from '../support/gateway.ts'
import { type Finished, hintgate } from '../support/hintgate.ts'
import { gone, launched, pidsOf } from '../support/launched.ts'
import { type Running, run } from '../support/processes.ts'
import { ScriptedServer, scripted } from '../support/scripted-server.ts'
import { EVERYTHING } from '../support/search-client.ts'
import { openWitness, type Witness } from '../support/witness.ts'

const BIN = fileURLToPath(new URL('../../packages/gateway/bin/hintgate.js', import.meta.url))
const example = (file: string) => ({
  command: process.execPath,
  args: [fileURLToPath(new URL(`../../examples/${file}`, import.meta.url))],
  trust: 'trusted',
})

let witness: Witness
let gateway: Gateway
let token: string

beforeAll(async () => {
  witness = await openWitness()
  const image = { type: 'image', mimeType: 'image/png', data: Buffer.alloc(12 * 1024).toString('base64') }
  const media = new ScriptedServer('media', witness, [scripted('draw', {}, { result: { content: [image] } })])
  gateway = await startReadyGateway({
    mcpServers: {
      notes: example('notes-server.mjs'),
      mailer: example('mailer-server.mjs'),
      s: stdioServer('s', witness),
      media: media.config,
    },
    agent_tokens: {
      reader: { permissions: ['read'], servers: ['s'] },
      writer: {
        permissions: ['retrieve_tools', 'read', 'write'],
        servers: ['s'],
        tools: ['write', 'destroy'],
      },
    },
  })
  token = await gateway.site.token({ permissions: EVERYTHING })
})
afterAll(cleanUp)

type Way = 'in this process' | 'at a running gateway'
const WAYS: readonly Way[] = ['in this process', 'at a running gateway']

/** The command with the gateway's config, or with --url to the running gateway. */
function ask(way: Way, args: readonly string[], stdin?: string): Promise<Finished> {
  const isLocal = way === 'in this process'
  return hintgate([...args, ...(isLocal ? gateway.site.flags : ['--url', gateway.url])], {
    env: { HINTGATE_TOKEN: isLocal ? '' : token },
    ...(stdin === undefined ? {} : { stdin }),
  })
}

const here = (...args: string[]): Promise<Finished> => ask('in this process', args)

async function json(way: Way, ...args: string[]): Promise<unknown> {
  const { code, stdout, stderr } = await ask(way, [...args, '--json'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout)
}

/** The command as a running process. */
const start = (args: readonly string[], env: NodeJS.ProcessEnv = {}): Running =>
  run(process.execPath, [BIN, ...args], { env })

const DELETE_NOTE = {
  id: 'notes:delete_note',
  title: 'Delete note',
  description: 'Permanently delete a note.',
  annotations: {
    title: 'Delete note',
    openWorldHint: false,
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: true,
  },
  sources: {
    readOnlyHint: 'declared',
    destructiveHint: 'declared',
    idempotentHint: 'declared',
    openWorldHint: 'declared',
    reversibleHint: 'inferred',
  },
  risk_hints: { reversibleHint: false },
  call_with: 'call_tool_destructive',
  risk_level: 3,
  category: 'delete',
  category_label: 'Deletes data',
  category_source: 'declared',
  domains: [],
  confirm: 'never',
}

describe.each(WAYS)('hintgate tools, %s,', way => {
  it('lists the tools of a server with variant, hints and sources', async () => {
    const { code, stdout, stderr } = await ask(way, ['tools', 'list', '--server', 'notes', '--server', 's'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const lines = stdout.split('\n')
    expect(lines.slice(0, 5)).toEqual([
      'ID                  CALL WITH              HINTS                      TITLE',
      'notes:search_notes  call_tool_read         ro  –      idem  –         Search notes',
      'notes:add_note      call_tool_write        –   –      –     –         Add note',
      'notes:delete_note   call_tool_destructive  –   destr  idem  –     –~  Delete note',
      's:echo              call_tool_read         ro  –?     –?    –         Echo',
    ])
    expect(stdout).not.toContain('mailer:')
    expect(lines.at(-2)).toContain('~ inferred, ? assumed')
  })

  it('lists them as JSON', async () => {
    const tools = (await json(way, 'tools', 'list')) as { id: string }[]
    expect(tools.find(({ id }) => id === DELETE_NOTE.id)).toEqual(DELETE_NOTE)
    expect(new Set(tools.map(({ id }) => id.split(':')[0]))).toEqual(
      new Set(['notes', 'mailer', 's', 'media']),
    )
  })

  it('finds tools by what they do', async () => {
    const { code, stdout } = await ask(way, ['tools', 'search', 'send', 'an', 'e-mail', '--limit', '1'])
    expect(code).toBe(0)
    expect(stdout).toMatch(
      /^1\. mailer:send_message {2}call_tool_write {2}score [\d.]+\n {3}Send message: Send an e-mail to one or more people\.\n {3}send_message\(to: string\[\], subject: string, text: string\)\n\n\d+ more tools? match/,
    )
  })

  it('filters what it finds, as JSON too', async () => {
    const flags = ['--read-only', '--server', 'notes', '--detail', 'full']
    const found = await json(way, 'tools', 'search', 'notes', ...flags)
    expect(found).toMatchObject({ total: 1, query: 'notes', hidden: { filtered: 2 } })
    const [tool] = (found as { tools: Record<string, unknown>[] }).tools
    expect(tool).toMatchObject({ id: 'notes:search_notes', call_with: 'call_tool_read' })
    expect(tool?.inputSchema).toMatchObject({ properties: { query: { type: 'string' } } })
  })

  it('explains an empty result', async () => {
    const { code, stdout } = await ask(way, ['tools', 'search', 'qwertzuiop'])
    expect(code).toBe(0)
    expect(stdout).toMatch(/^No tools found\. Nothing matches\./)
  })

  it('shows one tool in full', async () => {
    const { code, stdout } = await ask(way, ['tools', 'show', 'notes:delete_note'])
    expect(code).toBe(0)
    expect(stdout).toContain('notes:delete_note\nDelete note\n\n   Permanently delete a note.\n\n')
    expect(stdout).toContain(
      'call with  call_tool_destructive\nrisk       3 (delete)\nleads to   delete (inferred from "delete"); targets: id\nconfirm    never\n',
    )
    expect(stdout).toContain('  destructive  yes  declared\n')
    expect(stdout).toContain('input schema\n   {\n')
    expect(await json(way, 'tools', 'show', 'notes:delete_note')).toMatchObject(DELETE_NOTE)
  })

  it.each([
    [['show', 'notes:delete_nte'], 1, 'Did you mean "notes:delete_note"?'],
    [['search', 'x', '--limit', '0'], 2, '"limit"'],
  ])('%j exits with %i and a reason', async (args, code, message) => {
    const finished = await ask(way, ['tools', ...args])
    expect(finished).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(message) as string })
    expect(finished.stderr).toContain('\n  fix: ')
  })
})

describe.each(WAYS)('hintgate call, %s,', way => {
  it('prints the result of the tool', async () => {
    const finished = await ask(way, ['call', 'notes:search_notes', '{"query": "milk"}'])
    const text = '[{"id":"1","title":"Groceries","text":"Milk, bread, a lemon"}]\n'
    expect(finished).toEqual({ code: 0, stdout: text, stderr: '' })
  })

  it('takes arguments from --arg and standard input, with every digit', async () => {
    const pairs = ['--arg', 'n=12345678901234567890', '--arg', 'path=a b', '--arg', `way=${way}`]
    expect((await ask(way, ['call', 's:echo', ...pairs])).code).toBe(0)
    const { raw } = await witness.saw('s', 'received', seen => seen.raw?.includes(`"${way}"`) ?? false)
    expect(raw).toContain(`"arguments":{"n":12345678901234567890,"path":"a b","way":"${way}"}`)
    const piped = await ask(way, ['call', 's:echo', '-'], '{"a": "€"}')
    expect(piped).toEqual({ code: 0, stdout: '{"a":"€"}\n', stderr: '' })
  })

  it('prints the whole result as JSON, with hidden characters escaped', async () => {
    const { code, stdout } = await ask(way, ['call', 's:echo', '{"a": "\\u202e\\u009b"}', '--json'])
    expect(code).toBe(0)
    expect(stdout).toContain('"structuredContent": {\n    "a": "\\u202e\\u009b"\n  }')
    expect(JSON.parse(stdout)).toMatchObject({
      content: [{ type: 'text', text: '{"a":"\u202e\u009b"}' }],
      structuredContent: { a: '\u202e\u009b' },
      resultType: 'complete',
    })
  })

  it('prints long results in full', async () => {
    const { code, stdout, stderr } = await ask(way, ['call', 's:big', '{"bytes": 250000}'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout === `${'x'.repeat(250_000)}\n`).toBe(true)
  })

  it('shows the kind and size of an image', async () => {
    expect(await ask(way, ['call', 'media:draw'])).toMatchObject({ code: 0, stdout: '[image/png, 12 KB]\n' })
  })

  it('uses the variant of the tool, or the one given', async () => {
    const written = await ask(way, [
      'call',
      's:write',
      '{"a": 1}',
      '--intent-reason',
      'to see whether it works',
    ])
    expect(written).toEqual({ code: 0, stdout: 'wrote {"a":1}\n', stderr: '' })
    const more = await ask(way, ['call', 's:echo', '--variant', 'call_tool_write'])
    expect(more).toMatchObject({ code: 0, stdout: '{}\n' })
    expect(more.stderr).toMatch(/^hintgate: note: "s:echo" must be called with call_tool_read/)
    const seen = witness.of('s').length
    const less = await ask(way, ['call', 's:write', '--variant', 'read'])
    expect(less).toMatchObject({ code: 10, stdout: '' })
    expect(less.stderr).toContain('does more than this call declares')
    expect(less.stderr).toContain('\n  fix: ')
    expect(
      witness
        .of('s')
        .slice(seen)
        .filter(({ method }) => method === 'tools/call'),
    ).toEqual([])
  })

  it.each([
    ['a tool that does not exist', ['notes:serch_notes'], 1, '', 'Did you mean "notes:search_notes"?'],
    ['a server that does not exist', ['nobody:echo'], 1, '', 'There is no tool "nobody:echo"'],
    ['wrong arguments', ['notes:search_notes', '--arg', 'query=1'], 2, '', '"query"'],
    ['a tool that fails', ['s:fail'], 1, 'it failed\n', ''],
    ['an error of the server', ['s:error'], 1, '', 'hintgate: the call failed with error -32123: own error'],
    ['a server that ends', ['s:exit'], 1, '', 'the disk is full'],
    [
      'a server that asks',
      ['s:ask', '{"method": "elicitation/create", "params": {"message": "?", "requestedSchema": {}}}'],
      1,
      '',
      'the server asks for input',
    ],
  ])('reports %s', async (_what, args, code, stdout, stderr) => {
    const finished = await ask(way, ['call', ...args])
    expect(finished).toMatchObject({ code, stdout })
    expect(finished.stderr).toContain(stderr)
  })

  it('prints a refusal as JSON too', async () => {
    const { code, stdout, stderr } = await ask(way, ['call', 's:write', '--variant', 'read', '--json'])
    expect(code).toBe(10)
    expect(JSON.parse(stdout)).toMatchObject({
      isError: true,
      structuredContent: { error: { code: 'intent_mismatch', variant: 'call_tool_write' } },
    })
    expect(stderr).toContain('hintgate: "s:write"')
  })
})

it('local commands and --url print the same bytes', async () => {
  // Results of a search depend on the caller's session, so this caller is new.
  const { name, token } = await gateway.site.namedToken({ permissions: EVERYTHING })
  const env = { HINTGATE_TOKEN: token }
  const commands = [
    ['tools', 'list', '--json'],
    ['tools', 'search', 'note', '--json'],
    ['call', 's:big', '{"bytes": 100000}', '--json'],
  ]
  for (const command of commands) {
    const local = await here(...command, '--as', name)
    const remote = await hintgate([...command, '--url', gateway.url], { env })
    expect(local.code).toBe(0)
    expect(local.stdout === remote.stdout, command.join(' ')).toBe(true)
  }
})

describe('an agent', () => {
  it('sees only the tools that it may use', async () => {
    const { stdout } = await here('tools', 'list', '--as', 'writer', '--json')
    expect((JSON.parse(stdout) as { id: string }[]).map(({ id }) => id)).toEqual(['s:write'])
    const found = await here('tools', 'search', 'echo', '--as', 'writer', '--json')
    expect(JSON.parse(found.stdout)).toMatchObject({ tools: [], total: 0 })
  })

  it('that may only read cannot write, and the server receives nothing', async () => {
    const seen = witness.of('s').length
    const refused = await here('call', 's:write', '--as', 'reader')
    expect(refused).toMatchObject({ code: 10, stdout: '' })
    expect(refused.stderr).toContain('This token lacks the permission call_tool_write')
    const outside = await here('call', 'notes:add_note', '--as', 'reader')
    expect(outside).toMatchObject({ code: 1, stderr: expect.stringContaining('There is no tool') as string })
    expect(
      witness
        .of('s')
        .slice(seen)
        .filter(({ method }) => method === 'tools/call'),
    ).toEqual([])
    expect(await here('call', 's:echo', '{"a":1}', '--as', 'reader')).toMatchObject({
      code: 0,
      stdout: '{"a":1}\n',
    })
  })

  it('without permission to search can still call tools', async () => {
    expect(await here('tools', 'search', 'echo', '--as', 'reader')).toMatchObject({ code: 10, stdout: '' })
    expect(await here('tools', 'list', '--as', 'reader')).toMatchObject({ code: 0 })
  })

  it('that is unknown is an error', async () => {
    const { code, stderr } = await here('tools', 'list', '--as', 'nobody')
    expect(code).toBe(1)
    expect(stderr).toContain('explain token_unknown')
  })

  it('with a read token cannot write at a running gateway either', async () => {
    const weak = await gateway.site.token({ permissions: 'read,write', servers: 's' })
    const call = (...args: string[]) => hintgate(['call', ...args, '--url', gateway.url, '--token', weak])
    expect(await call('s:write')).toMatchObject({ code: 0, stdout: 'wrote {}\n' })
    expect(await call('s:destroy', '--arg', 'region=eu')).toMatchObject({ code: 10, stdout: '' })
  })
})

describe('without a gateway', () => {
  it('starts only the needed server, with only its secrets', async () => {
    const site = new Site({
      mcpServers: {
        one: stdioServer('alone', witness),
        other: stdioServer('other', witness, [], { env: { KEY: `\${env:NOT_SET_ANYWHERE}` } }),
      },
      agent_tokens: { bot: { permissions: ['read'], servers: ['*'], token: `\${env:NOT_SET_ANYWHERE}` } },
    })
    const called = await hintgate(['call', 'one:echo', '--as', 'bot', ...site.flags])
    expect(called).toEqual({ code: 0, stdout: '{}\n', stderr: '' })
    expect(witness.of('other', 'started')).toEqual([])
    expect(await hintgate(['tools', 'list', ...site.flags])).toMatchObject({ code: 2, stdout: '' })
  })

  it('names a server that does not start, and the others still work', async () => {
    const site = new Site({
      mcpServers: {
        bad: { command: '/nowhere/none' },
        quits: stdioServer('quits', witness, ['--start', 'exit']),
        good: stdioServer('good', witness),
      },
    })
    const list = await hintgate(['tools', 'list', ...site.flags])
    expect(list.code).toBe(0)
    expect(list.stdout).toContain('good:echo')
    expect(list.stderr).toMatch(/"bad" .*does not exist on this machine/)
    expect(list.stderr).toMatch(/"quits" .*there is no licence key/)
    const called = await hintgate(['call', 'bad:echo', ...site.flags])
    expect(called).toMatchObject({ code: 1, stdout: '' })
    expect(called.stderr).toContain('does not exist on this machine')
    expect(await hintgate(['tools', 'list', '--server', 'bad', ...site.flags])).toMatchObject({ code: 1 })
    expect(await hintgate(['tools', 'show', 'bad:echo', ...site.flags])).toMatchObject({
      code: 1,
      stdout: '',
    })
    expect(await hintgate(['call', 'good:echo', ...site.flags])).toMatchObject({ code: 0, stderr: '' })
  })

  it('says what is missing without servers', async () => {
    const site = new Site({})
    const { code, stdout, stderr } = await hintgate(['tools', 'list', ...site.flags])
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'No tools.\n' })
    expect(stderr).toBe(`hintgate: ${site.configFile} has no servers\n`)
  })

  it('leaves no process behind: no server, no wrapper, no child of a wrapper', async () => {
    const site = new Site({ mcpServers: { s: launched('left', witness) } })
    expect(await hintgate(['call', 's:echo', ...site.flags])).toMatchObject({ code: 0 })
    for (const pid of await pidsOf('left', witness)) await gone(pid)
  })

  it('leaves no process behind if the pipe is closed', async () => {
    const site = new Site({ mcpServers: { s: launched('unread', witness) } })
    const running = start(['tools', 'list', ...site.flags])
    running.child.stdout?.destroy()
    expect(await running.exited).toBe(0)
    for (const pid of await pidsOf('unread', witness)) await gone(pid)
  })

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'leaves no process behind after %s during a call',
    async signal => {
      const name = `stopped-${signal}`
      const site = new Site({ mcpServers: { s: launched(name, witness) } })
      const running = start(['call', 's:hang', ...site.flags])
      await witness.saw(name, 'hanging')
      running.child.kill(signal)
      expect(await running.exited).toBe(1)
      expect(running.stderr.items).toEqual(['hintgate: cancelled'])
      for (const pid of await pidsOf(name, witness)) await gone(pid)
    },
  )

  it('leaves no process behind if it ends while a server starts', async () => {
    const site = new Site({ mcpServers: { s: stdioServer('slow', witness, ['--start', 'silent']) } })
    const running = start(['tools', 'list', ...site.flags])
    await witness.saw('slow', 'started')
    await running.stderr.until(line => line === 'hintgate: waiting for s')
    running.child.kill('SIGINT')
    expect(await running.exited).toBe(1)
    for (const { pid } of witness.of('slow', 'started')) await gone(pid)
  })
})

describe('at a running gateway', () => {
  it('cancels the call on Ctrl-C', async () => {
    const running = start(['call', 's:hang', '--arg', 'who=me', '--url', gateway.url], {
      HINTGATE_TOKEN: token,
    })
    await witness.saw('s', 'hanging', ({ args }) => JSON.stringify(args).includes('me'))
    running.child.kill('SIGINT')
    expect(await running.exited).toBe(1)
    await witness.saw('s', 'cancelled')
  })

  it.each([
    ['', 'requires a token'],
    ['hg_agent_nobody', 'rejected the token'],
    ['two words', 'The credential is not a Hintgate token'],
  ])('refuses the token %j with a fix', async (given, message) => {
    const { code, stdout, stderr } = await hintgate(['tools', 'list', '--url', gateway.url], {
      env: { HINTGATE_TOKEN: given },
    })
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain(message)
    expect(stderr).not.toContain('    at ')
  })

  it('reports in one message if no gateway is running', async () => {
    const { code, stderr } = await hintgate(['call', 's:echo', '--url', 'http://127.0.0.1:1', '--token', 'x'])
    expect(code).toBe(1)
    expect(stderr).toMatch(
      /^hintgate: cannot reach http:\/\/127\.0\.0\.1:1 \(ECONNREFUSED\)\n {2}fix: .*hintgate serve.*\n$/,
    )
  })

  it('accepts the address of a surface', async () => {
    const flags = ['--url', `${gateway.url}/mcp/`, '--token', token]
    expect(await hintgate(['call', 's:echo', ...flags])).toMatchObject({ code: 0, stdout: '{}\n' })
  })
})

describe('help and usage', () => {
  it.each([
    [['tools'], '$ hintgate tools search'],
    [['tools', 'list'], '$ hintgate tools list --server notes'],
    [['tools', 'search'], '$ hintgate tools search delete old notes'],
    [['tools', 'show'], '$ hintgate tools show notes:delete_note'],
    [['call'], '$ hintgate call notes:search_notes \'{"query": "milk"}\''],
  ])('%j --help shows an example', async (args, text) => {
    const { code, stdout } = await hintgate([...args, '--help'])
    expect(code).toBe(0)
    expect(stdout).toContain(text)
    expect(stdout).toContain('Exit codes: 0 done, 1 failed, 2 wrong usage or config, 10 refused by policy')
  })

  it.each([
    [['tools', 'frobnicate'], 'unknown command'],
    [['tools', 'search'], "missing required argument 'query'"],
    [['tools', 'search', 'x', '--limit', 'many'], '--limit'],
    [['tools', 'search', 'x', '--category', 'odd'], 'Allowed choices are read, write, delete'],
    [['tools', 'list', '--server', 'nobody'], 'explain unknown_server'],
    [['call'], "missing required argument 'server:tool'"],
    [['call', 's:echo', '{'], 'ARGS: not JSON'],
    [['call', 's:echo', '--arg', 'a'], '--arg: expected key=value'],
    [['call', 's:echo', '--variant', 'maybe'], 'Allowed choices are'],
    [['call', 's:echo', '--token', 'x'], '--token: use it with --url'],
    [['call', 's:echo', '--url', 'x'], '--url: expected an address'],
    [['call', 's:echo', '--url', 'http://127.0.0.1:1', '--as', 'bot'], '--as: leave it out with --url'],
    [['call', 's:echo', '--config', '/nowhere.json'], 'the file does not exist'],
  ])('%j is wrong usage', async (args, message) => {
    const flags = args.includes('--config') ? [] : gateway.site.flags
    const { code, stdout, stderr } = await hintgate([...args, ...flags])
    expect(stderr).toContain(message)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  })
})
