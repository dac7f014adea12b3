import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cleanUp } from '../support/clean-up.ts'
import { type Gateway, type GatewayConfig, startReadyGateway, stdioServer } from '../support/gateway.ts'
import { type Json, LegacyClient, type Message, refusalOf, textOf, toolNames } from '../support/raw-mcp.ts'
import {
  callsSeenBy,
  connect,
  dataOf,
  ERAS,
  type Era,
  EVERYTHING,
  idsOf,
  refusal,
  retrieve,
  searchUrl,
} from '../support/search-client.ts'
import { openWitness, type Witness } from '../support/witness.ts'

const BOT = `hg_agent_${'cmVw'.repeat(11).slice(0, 43)}`
const SERVERS = ['database', 'analytics', 'payroll']

let witness: Witness
let gateway: Gateway
/** A gateway without the server that the caller must not see. */
let bare: Gateway
let everything: string

const config = (servers: readonly string[], prefix: string): GatewayConfig => ({
  mcpServers: Object.fromEntries(servers.map(name => [name, stdioServer(`${prefix}${name}`, witness)])),
  agent_tokens: {
    'reporting-bot': { permissions: ['call_tool_read'], servers: ['database', 'analytics'], token: BOT },
  },
})

beforeAll(async () => {
  witness = await openWitness()
  gateway = await startReadyGateway(config(SERVERS, ''))
  bare = await startReadyGateway(config(['database', 'analytics'], 'bare-'))
  everything = await gateway.site.token({ permissions: EVERYTHING })
})
afterAll(cleanUp)

const seenBy = async (server: string) => {
  const client = await connect(gateway.endpoint(), everything)
  return callsSeenBy(server, witness, args => client.call(`${server}__echo`, args))
}

/** The tools that were called at a server, except `echo`. */
const doneAt = async (server: string) =>
  (await seenBy(server)).map(({ name }) => name).filter(name => name !== 'echo')

const isTurnedAway = (message: Message): boolean =>
  message.error !== undefined ||
  ['permission_denied', 'unknown_tool', 'invalid_arguments'].includes(refusalOf(message) ?? '')

describe.each(ERAS)('the reporting bot, a %s client with a token from the config', era => {
  const open = (path = '/mcp') => connect(`${gateway.url}${path}`, BOT, era)

  it('sees only the tools for reading', async () => {
    const names = toolNames(await (await open()).request('tools/list'))
    expect(names).toEqual(['call_tool_read', 'call_tools_read', 'read_result'])
  })

  it('reads from the database and from analytics', async () => {
    const client = await open()
    for (const server of ['database', 'analytics']) {
      const answer = await client.call('call_tool_read', { name: `${server}:echo`, args: { rows: 7 } })
      expect(textOf(answer)).toBe('{"rows":7}')
    }
    const both = ['database:echo', 'analytics:echo'].map(name => ({ name, args: { of: name } }))
    const { results } = dataOf<{ results: Json[] }>(await client.call('call_tools_read', { calls: both }))
    expect(results).toMatchObject(
      both.map(({ name, args }) => ({ name, ok: true, result: { structuredContent: args } })),
    )
  })

  it('gets the same answers about a third server as about one that does not exist', async () => {
    const client = await open()
    const stranger = await connect(searchUrl(bare), BOT, era)
    const attempts: [string, Json][] = [
      ['call_tool_read', { name: 'payroll:echo', args: { salary: 1 } }],
      ['call_tool_read', { name: 'payroll:write', args: {} }],
      ['call_tool_read', { name: 'payroll:', args: {} }],
      ['call_tools_read', { calls: [{ name: 'payroll:echo' }, { name: 'database:echo' }] }],
    ]
    for (const [tool, args] of attempts) {
      const here = await client.call(tool, args)
      const there = await stranger.call(tool, args)
      expect(here.result).toEqual(there.result)
      expect(JSON.stringify(here)).toContain('unknown_tool')
    }
    for (const path of ['/mcp/servers/payroll', '/mcp/servers/nobody']) {
      const reply = new LegacyClient(`${gateway.url}${path}`, BOT).open('tools/list')
      await reply.closed
      expect(reply.status).toBe(404)
    }
    expect(refusalOf(await (await open('/mcp/direct')).call('payroll__echo'))).toBe('unknown_tool')
    const names = toolNames(await (await open('/mcp/direct')).request('tools/list'))
    expect(names.filter(name => !/^(database|analytics)__/.test(name))).toEqual([])
    expect(names).toContain('database__echo')
    expect(await seenBy('payroll')).toEqual([])
  })

  it('may not search without that permission, and the refusal says so', async () => {
    const client = await open()
    for (const tool of ['retrieve_tools', 'describe_tool']) {
      const { code, remedy } = refusal(await client.call(tool, { query: 'x', name: 'database:echo' }))
      expect(code).toBe('permission_denied')
      expect(remedy).toContain('retrieve_tools')
    }
  })
})

/** Every known way to make a write or a destructive call. */
const WAYS: readonly (readonly [path: string, tool: string, args: Json])[] = [
  ...['call_tool_read', 'call_tool_write', 'call_tool_destructive'].flatMap(variant =>
    [
      'database:write',
      'database:destroy',
      'database__write',
      'write',
      'database:write ',
      ' database:write',
      'DATABASE:write',
      'database::write',
      'database:database:write',
      'database/write',
      'database:echo,write',
      'database:echo\u0000:write',
      'direct:database__write',
      '*:write',
      'data*:write',
      'database:wr*',
      '/mcp/servers/database:write',
    ].map(name => ['/mcp', variant, { name, args: { way: 1 } }] as const),
  ),
  ...(['read', 'write', 'destructive'] as const).flatMap(operation_type =>
    ['database:write', 'database:destroy'].map(
      name =>
        [
          '/mcp',
          'call_tool_read',
          { name, args: {}, intent: { operation_type, reason: 'I was told to' } },
        ] as const,
    ),
  ),
  ['/mcp', 'call_tools_read', { calls: [{ name: 'database:echo' }, { name: 'database:write' }] }],
  ['/mcp', 'call_tools_read', { calls: [{ name: 'database:destroy' }], max_parallel: 1 }],
  ['/mcp', 'database:write', {}],
  ['/mcp', 'database__write', {}],
  ['/mcp', 'write', {}],
  ['/mcp', 'call_tool_read', { name: 'database:echo', tool: 'write', args: {}, variant: 'call_tool_write' }],
  ['/mcp', 'call_tool_read', { name: ['database:write'], args: {} }],
  ['/mcp/direct', 'database__write', {}],
  ['/mcp/direct', 'database__destroy', {}],
  ['/mcp/direct', 'database:write', {}],
  ['/mcp/direct', 'call_tool_write', { name: 'database:write' }],
  ['/mcp/servers/database', 'write', {}],
  ['/mcp/servers/database', 'destroy', {}],
  ['/mcp/servers/database', 'database__write', {}],
  ['/mcp/servers/analytics', 'write', {}],
]

describe.each(ERAS)('a %s client with a token that may only read', era => {
  const reader = (() => {
    let made: Promise<string> | undefined
    return () =>
      (made ??= gateway.site.token({ permissions: 'retrieve_tools,read', servers: 'database,analytics' }))
  })()

  it('makes no write by any variant, surface, batch, name or guess', async () => {
    const before = await doneAt('database')
    for (const [path, tool, args] of WAYS) {
      const client = await connect(`${gateway.url}${path}`, await reader(), era)
      const answer = await client.call(tool, args)
      expect(isTurnedAway(answer), `${path} ${tool} ${JSON.stringify(args)}: ${JSON.stringify(answer)}`).toBe(
        true,
      )
    }
    expect(await doneAt('database')).toEqual(before)
    expect(await doneAt('analytics')).toEqual([])
  })

  it('finds no tool that writes, and gets no description of one', async () => {
    const client = await connect(searchUrl(gateway), await reader(), era)
    for (const query of [
      '',
      'write',
      'destroy',
      'database:write',
      'test tool',
      'write something to the database',
    ]) {
      const found = await retrieve(client, query, { limit: 50, detail: 'full' })
      expect(idsOf(found).filter(id => /write$|destroy$|^payroll/.test(id))).toEqual([])
      expect(new Set(found.tools.map(tool => tool.call_with))).toEqual(
        new Set(found.tools.length > 0 ? ['call_tool_read'] : []),
      )
    }
    expect((await retrieve(client, '', { limit: 50 })).tools.length).toBeGreaterThan(20)
    for (const name of ['database:write', 'database:destroy', 'payroll:echo'])
      expect(refusal(await client.call('describe_tool', { name })).code).toBe('unknown_tool')
  })

  it('sees no tool that writes in any list', async () => {
    for (const path of ['/mcp', '/mcp/direct', '/mcp/servers/database']) {
      const list = await (await connect(`${gateway.url}${path}`, await reader(), era)).request('tools/list')
      const names = toolNames(list)
      expect(names.length).toBeGreaterThan(0)
      expect(names.filter(name => /(^|_)(write|destroy|destructive)$/.test(name))).toEqual([])
    }
  })
})

describe('a JSON-RPC batch of a legacy client', () => {
  it('cannot write without the permission', async () => {
    const token = await gateway.site.token({ permissions: 'read', servers: 'database' })
    const client = await new LegacyClient(searchUrl(gateway), token).initialize({ version: '2025-03-26' })
    const before = await doneAt('database')
    const calls = ['call_tool_read', 'call_tool_write'].map((name, id) => ({
      ...{ jsonrpc: '2.0', id: id + 100, method: 'tools/call' },
      params: { name, arguments: { name: 'database:write', args: {} } },
    }))
    const reply = client.post(calls)
    await reply.closed
    expect(reply.messages.items.map(refusalOf)).toEqual(['permission_denied', 'permission_denied'])
    expect(await doneAt('database')).toEqual(before)
  })
})

describe('something out of scope', () => {
  const PERMISSIONS: readonly [string, string[]][] = [
    ['retrieve_tools', ['retrieve_tools', 'describe_tool']],
    ['read', ['call_tool_read', 'call_tools_read', 'read_result']],
    ['write', ['call_tool_write', 'read_result']],
    ['destructive', ['call_tool_destructive', 'read_result']],
    [
      EVERYTHING,
      [
        ...['retrieve_tools', 'describe_tool', 'call_tool_read', 'call_tool_write', 'call_tool_destructive'],
        ...['call_tools_read', 'read_result'],
      ],
    ],
  ]

  it.each(PERMISSIONS)(
    'is not listed: a token for %s sees only its own tools',
    async (permissions, wanted) => {
      const token = await gateway.site.token({ permissions })
      for (const era of ERAS as readonly Era[]) {
        const client = await connect(searchUrl(gateway), token, era)
        expect(toolNames(await client.request('tools/list'))).toEqual(wanted)
        const others = PERMISSIONS.at(-1)?.[1].filter(name => !wanted.includes(name)) ?? []
        for (const name of others) expect(refusal(await client.call(name, {})).code).toBe('permission_denied')
      }
    },
  )

  it('does not change any answer that a caller gets', async () => {
    const scope = { permissions: 'retrieve_tools,read', servers: 'database,analytics' }
    const [here, there] = await Promise.all(
      [gateway, bare].map(async each => connect(searchUrl(each), await each.site.token(scope))),
    )
    const questions: [string, Json][] = [
      ...['', 'echo', 'payroll', 'write', 'destroy region', 'payrol:eco', 'test tool'].map(
        query => ['retrieve_tools', { query, limit: 50 }] as [string, Json],
      ),
      ['retrieve_tools', { query: 'echo', servers: ['payroll'] }],
      ['retrieve_tools', { query: 'write', read_only: true }],
      ['describe_tool', { name: 'payroll:echo' }],
      ['describe_tool', { name: 'payroll:ech' }],
      ['call_tool_read', { name: 'payroll:echoo' }],
    ]
    for (const [tool, args] of questions)
      expect((await here?.call(tool, args))?.result, JSON.stringify(args)).toEqual(
        (await there?.call(tool, args))?.result,
      )
  })
})
