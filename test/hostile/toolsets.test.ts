import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cleanUp, later } from '../support/clean-up.ts'
import { approve, waitingFor } from '../support/confirming.ts'
import { type Gateway, startGateway, startReadyGateway } from '../support/gateway.ts'
import { hintgate } from '../support/hintgate.ts'
import {
  bearer,
  type Json,
  LegacyClient,
  type Message,
  Reply,
  send,
  textOf,
  toolNames,
} from '../support/raw-mcp.ts'
import { DESTROYS, ScriptedServer, type ScriptedTool, scripted, WRITES } from '../support/scripted-server.ts'
import { connect, ERAS, EVERYTHING, refusal } from '../support/search-client.ts'
import { openWitness, type Witness } from '../support/witness.ts'

/** Tools that no set offers. */
const SECRET = [
  scripted('get_salary', { description: 'Gets the salary of a person.' }),
  scripted('raise_salary', { annotations: WRITES }),
  scripted('erase_salary', { annotations: DESTROYS }),
]
const ADDRESS = {
  type: 'object',
  properties: { workspace: { type: 'string' }, text: { type: 'string' } },
  required: ['workspace'],
  'x-other': { workspace: 'see $defs' },
  $defs: { Workspace: { type: 'string', description: 'the workspace' } },
}
const PERSON = { name: 'Ada', salary: 'a hundred' }
const LEAKS: readonly Json[] = [
  { content: [{ type: 'text', text: 'the salary is a hundred' }] },
  {
    content: [
      { type: 'text', text: JSON.stringify(PERSON) },
      { type: 'text', text: 'a hundred' },
    ],
  },
  { content: [{ type: 'text', text: 'a hundred' }], structuredContent: PERSON },
  { content: [], structuredContent: PERSON, StructuredContent: PERSON, salary: 'a hundred' },
  { content: [], structuredContent: PERSON, _meta: { 'com.example/salary': 'a hundred' } },
  {
    content: [
      { type: 'resource', resource: { uri: 'x:y', text: 'a hundred' } },
      { type: 'resource_link', uri: 'x:a-hundred', name: 'a hundred' },
    ],
    structuredContent: PERSON,
  },
  {
    content: [{ type: 'text', text: 'it failed' }],
    structuredContent: { error: 'a hundred' },
    isError: true,
  },
  { structuredContent: [[PERSON], { other: PERSON }], content: [] },
]

const CRM: readonly ScriptedTool[] = [
  scripted('get_name'),
  scripted('write_note', { annotations: WRITES, inputSchema: ADDRESS }),
  scripted('erase_note', { annotations: DESTROYS, inputSchema: ADDRESS }),
  ...LEAKS.map((result, index) => scripted(`leak_${index}`, {}, { result })),
  scripted(
    'slow',
    {},
    {
      result: {
        content: [],
        structuredContent: { a: Array.from({ length: 4000 }, (_, index) => ({ n: index })) },
      },
    },
  ),
]

const keep = { keep: ['/name'] }
const FIXED = { arguments: { workspace: 'acme' } }
const SETS = {
  support: {
    select: ['crm:*'],
    except: ['crm:*_salary', 'crm:echo'],
    overrides: {
      'crm:write_note': { name: 'note', ...FIXED },
      'crm:erase_note': FIXED,
      ...Object.fromEntries(LEAKS.map((_, index) => [`crm:leak_${index}`, keep])),
      'crm:slow': { query: 'a[?length(sort_by($.a, &n)) > `1`]' },
    },
  },
  found: {
    surface: 'search',
    select: ['crm:get_name', 'crm:write_note'],
    overrides: { 'crm:write_note': { name: 'note', ...FIXED } },
  },
  other: ['crm:get_name'],
}

const POLICY = `rules:
  - id: none-of-other
    effect: deny
    sets: oth*
    reason: The set other is closed.
  - id: none-of-found
    effect: deny
    tools: crm:get_name
    when: call.set == "found" && has(args.by)
    reason: The set found is closed to this.
`

let witness: Witness
let gateway: Gateway
/** A gateway without the tools that no set offers. */
let bare: Gateway
let everything: string
let bareToken: string

const configOf = (name: string, tools: readonly ScriptedTool[]) => ({
  mcpServers: { crm: new ScriptedServer(name, witness, tools).config },
  confirm: { destructive: 'always', trifecta: 'off', provenance: 'off' },
  toolsets: SETS,
})

beforeAll(async () => {
  witness = await openWitness()
  const policy = join(mkdtempSync(join(tmpdir(), 'hintgate-sets-')), 'policy.yaml')
  later(() => rmSync(join(policy, '..'), { recursive: true, force: true }))
  writeFileSync(policy, POLICY)
  const whole = configOf('crm', [...CRM, ...SECRET])
  const mcpServers = { ...whole.mcpServers, payroll: { command: '/no/such/program', lazy: true } }
  gateway = await startGateway({ ...whole, mcpServers, policies: [policy] })
  await gateway.says(/\bcrm is ready/)
  bare = await startReadyGateway(configOf('bare', CRM))
  everything = await gateway.site.token({ permissions: EVERYTHING })
  bareToken = await bare.site.token({ permissions: EVERYTHING })
})
afterAll(cleanUp)

const at = (set: string, one: Gateway = gateway): string => `${one.url}/mcp/sets/${set}`

const HIDDEN = SECRET.map(({ definition }) => definition.name)
/** Every way to name a hidden tool. */
const NAMES = HIDDEN.flatMap((name, index) =>
  index === 0 ? [`crm__${name}`, `crm:${name}`, name, `CRM__${name}`] : [`crm__${name}`],
)
/** Names of offered tools elsewhere, and of tools of a server that is down and in no set. */
const SHOWN = [
  'payroll__get',
  'payroll:get',
  'crm__write_note',
  'crm:write_note',
  'write_note',
  'files__read',
]

/** Every method by which a tool can be named, on both kinds of sets. */
const METHODS: readonly (readonly [set: string, (name: string) => readonly [tool: string, args: Json]])[] = [
  ['support', name => [name, {}]],
  ...['call_tool_read', 'call_tool_write', 'call_tool_destructive'].map(
    variant => ['found', (name: string) => [variant, { name, args: {} }] as const] as const,
  ),
  ['found', name => ['describe_tool', { name }]],
  ['found', name => ['call_tools_read', { calls: [{ name }, { name: 'crm__get_name' }] }]],
  ['found', name => ['retrieve_tools', { query: name, limit: 50 }]],
  ['found', name => [name, {}]],
]

describe.each(ERAS)('a tool outside of a set, for a %s client', era => {
  it.each(METHODS)('answers like an unknown one in %s, by method %#', async (set, ask) => {
    const here = await connect(at(set), everything, era)
    const there = await connect(at(set, bare), bareToken, era)
    for (const name of [...NAMES, ...SHOWN]) {
      const [tool, args] = ask(name)
      const answer = await here.call(tool, args)
      expect(answered(answer), name).toEqual(answered(await there.call(tool, args)))
      if (tool !== 'retrieve_tools') expect(JSON.stringify(answer), name).toMatch(/unknown_tool|"error"/)
    }
  })

  it('is in no list', async () => {
    for (const set of Object.keys(SETS)) {
      const list = await (await connect(at(set), everything, era)).request('tools/list')
      expect(JSON.stringify(list)).not.toMatch(/salary/)
    }
  })
})

describe.each(ERAS)('a %s client with a token for one set', era => {
  const forSet = (() => {
    let made: Promise<string> | undefined
    return () => (made ??= gateway.site.token({ permissions: EVERYTHING, sets: 'support' }))
  })()

  it('finds every other endpoint unknown', async () => {
    expect(
      toolNames(await (await connect(at('support'), await forSet(), era)).request('tools/list')),
    ).toContain('note')
    for (const path of [
      '/mcp',
      '/mcp/direct',
      '/mcp/servers/crm',
      '/mcp/sets/found',
      '/mcp/sets/',
      '/mcp/sets/support/',
    ]) {
      const reply = new LegacyClient(`${gateway.url}${path}`, await forSet()).open('tools/list')
      await reply.closed
      expect(reply.status, path).toBe(404)
      const stream = await send(`${gateway.url}${path}`, { method: 'GET', headers: bearer(await forSet()) })
      expect(stream.status, path).toBe(404)
    }
  })

  it('cannot use the session of another endpoint', async () => {
    if (era === 'modern') return
    const session = await new LegacyClient(at('other'), everything).initialize()
    const moved = new LegacyClient(at('support'), everything)
    moved.session = session.session
    const reply = moved.open('tools/list')
    await reply.closed
    expect(reply.status).toBe(404)
  })
})

/** Arguments as a text, so that it can have keys twice. */
const SETTING = [
  '{"workspace":"evil"}',
  '{"text":"x","workspace":"evil","workspace":"acme"}',
  '{"Workspace":"evil"}',
  '{"WORKſPACE":"evil"}',
  '{"work-space":"evil"}',
  '{"wоrkspace":"evil"}',
  '{"workspace\\u200b":"evil"}',
  '{"\\u0077orkspace":"evil"}',
  '[{"workspace":"evil"}]',
  '"workspace=evil"',
]

describe('the fixed arguments of a set', () => {
  it.each(SETTING)('cannot be set with %s', async args => {
    const client = await new LegacyClient(at('support'), everything).initialize()
    const before = received().length
    const body = `{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"note","arguments":${args}}}`
    const reply = new Reply(at('support'), { body, headers: client.headers })
    await reply.closed
    expect(JSON.stringify(reply.messages.items)).toMatch(/invalid_arguments|"error"/)
    expect(received().slice(before)).toEqual([])
  })

  it('are shown to the approver, and an approval covers only them', async () => {
    const client = await connect(at('support'), everything)
    const { id } = waitingFor(await client.call('crm__erase_note', { text: 'x' }))
    const { stdout } = await hintgate(['approvals', 'show', id, '--json', ...gateway.site.flags])
    expect(JSON.parse(stdout)).toMatchObject({
      request: { set: 'support', arguments: { text: 'x', workspace: 'acme' } },
    })
    await approve(gateway.site, id)
    const direct = await connect(gateway.endpoint(), everything)
    const elsewhere = await direct.call('crm__erase_note', { text: 'x', workspace: 'acme' })
    expect(waitingFor(elsewhere).id).not.toBe(id)
    const answer = await client.call('crm__erase_note', { text: 'x' })
    expect(JSON.parse(textOf(answer))).toMatchObject({ arguments: { text: 'x', workspace: 'acme' } })
  })

  it('are in the audit log, with the set', async () => {
    const client = await connect(at('support'), everything)
    await client.call('note', { text: 'for the log' })
    const { stdout } = await hintgate(['audit', 'export', ...gateway.site.flags])
    const calls = stdout
      .trim()
      .split('\n')
      .map(line => JSON.parse(line) as Json)
    expect(calls.find(({ args }) => (args as Json | undefined)?.text === 'for the log')).toMatchObject({
      set: 'support',
      server: 'crm',
      tool: 'write_note',
      typed: 'note',
      args: { text: 'for the log', workspace: 'acme' },
    })
  })

  it('leave no trace in the schema', async () => {
    const list = await (await connect(at('support'), everything)).request('tools/list')
    const tools = (list.result?.tools ?? []) as Json[]
    const schema = tools.find(({ name }) => name === 'note')?.inputSchema
    expect(schema).toEqual({
      type: 'object',
      properties: { text: { type: 'string' } },
      'x-other': { workspace: 'see $defs' },
    })
  })
})

describe('the filter of a result', () => {
  it.each(LEAKS.map((_, index) => index))('shows nothing else of result %i', async index => {
    const client = await connect(at('support'), everything)
    const answer = await client.call(`crm__leak_${index}`)
    expect(JSON.stringify(answer)).not.toMatch(/hundred|salary/)
  })

  it('ends an expression that takes too long, and other calls go on', async () => {
    const client = await connect(at('support'), everything)
    const [slow, quick] = await Promise.all([client.call('crm__slow'), client.call('crm__get_name')])
    expect(refusal(slow)).toMatchObject({ code: 'guardrail_blocked' })
    expect(refusal(slow).message).toContain('takes too long')
    expect(textOf(quick)).toContain('get_name')
  })
})

describe('a policy', () => {
  it('can name toolsets, and see them in conditions', async () => {
    const elsewhere = await connect(at('other'), everything)
    expect(refusal(await elsewhere.call('crm__get_name', { text: 'selector' })).code).toBe('policy_denied')
    const found = await connect(at('found'), everything)
    const call = await found.call('call_tool_read', { name: 'crm__get_name', args: { by: 'condition' } })
    expect(refusal(call).code).toBe('policy_denied')
    const direct = await connect(gateway.endpoint(), everything)
    for (const args of [{ text: 'selector' }, { by: 'condition' }])
      expect(textOf(await direct.call('crm__get_name', args))).toContain('get_name')
  })
})

/** An answer without what depends on the caller's earlier calls, and on which of the two servers answered. */
function answered({ result, error }: Message): unknown {
  const { session_risk: _risk, ...structured } = (result?.structuredContent ?? {}) as Json
  const said = JSON.stringify({ structured, isError: result?.isError, error })
  return JSON.parse(said.replaceAll('bare', 'crm')) as unknown
}

/** The tool calls that the server has received. */
function received(): readonly string[] {
  return witness.of('crm').flatMap(({ method, raw }) => (method === 'tools/call' ? [String(raw)] : []))
}
