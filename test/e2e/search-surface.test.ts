import { type OutputUnit, type Schema, Validator } from '@cfworker/json-schema'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cleanUp } from '../support/clean-up.ts'
import { type Gateway, Site, startReadyGateway, startStdioGateway, stdioServer } from '../support/gateway.ts'
import { type Json, LegacyClient, textOf, toolNames, toolsOf } from '../support/raw-mcp.ts'
import {
  type Client,
  connect,
  dataOf,
  ERAS,
  EVERYTHING,
  markOf,
  refusal,
  searchUrl,
} from '../support/search-client.ts'
import { StdioClient } from '../support/stdio-client.ts'
import { openWitness, type Witness } from '../support/witness.ts'

const NAMES = [
  ...['retrieve_tools', 'describe_tool', 'call_tool_read', 'call_tool_write', 'call_tool_destructive'],
  ...['call_tools_read', 'read_result'],
]

interface Definition {
  readonly name: string
  readonly description: string
  readonly inputSchema: Schema
  readonly outputSchema?: Schema
  readonly annotations: Json
}

let witness: Witness
let gateway: Gateway
let token: string

beforeAll(async () => {
  witness = await openWitness()
  gateway = await startReadyGateway({
    mcpServers: { files: stdioServer('files', witness), mail: stdioServer('mail', witness) },
    limits: { answer: 3000 },
  })
  token = await gateway.site.token({ permissions: EVERYTHING })
})
afterAll(cleanUp)

const open = (era: (typeof ERAS)[number] = 'modern'): Promise<Client> =>
  connect(searchUrl(gateway), token, era)
const list = async (client: Client): Promise<readonly Definition[]> =>
  toolsOf(await client.request('tools/list')) as unknown as Definition[]

const problems = (schema: Schema, value: unknown): OutputUnit[] =>
  new Validator(schema, '2020-12', false).validate(value).errors

describe('the tools of the search surface', () => {
  it.each(ERAS)('are listed to a %s client, always in the same order', async era => {
    const client = await open(era)
    expect((await list(client)).map(({ name }) => name)).toEqual(NAMES)
    expect(await list(client)).toEqual(await list(await open('modern')))
  })

  it('take fewer than 1,200 tokens including the server instructions', async () => {
    const client = await new LegacyClient(searchUrl(gateway), token).initialize()
    const { instructions = '' } = client.greeting.result ?? {}
    expect(instructions).toContain('retrieve_tools')
    const tokens = (JSON.stringify(await list(client)).length + JSON.stringify(instructions).length) / 4
    expect(tokens).toBeLessThan(1200)
    expect(tokens).toBeGreaterThan(300)
  })

  it('have correct hints', async () => {
    const hints = (await list(await open())).map(({ name, annotations: a }) => [
      name,
      [a.readOnlyHint, a.destructiveHint, a.idempotentHint, a.openWorldHint],
    ])
    expect(Object.fromEntries(hints)).toEqual({
      retrieve_tools: [true, false, true, false],
      describe_tool: [true, false, true, false],
      call_tool_read: [true, false, true, true],
      call_tool_write: [false, false, false, true],
      call_tool_destructive: [false, true, false, true],
      call_tools_read: [true, false, true, true],
      read_result: [true, false, true, false],
    })
  })

  it('have strict schemas and descriptions', async () => {
    for (const { name, description, inputSchema } of await list(await open())) {
      expect(inputSchema, name).toMatchObject({ type: 'object', additionalProperties: false })
      expect(description, name).toMatch(/^[A-Z].{10,}\.$/)
    }
  })

  it('are served over stdio by default', async () => {
    const site = new Site({ mcpServers: { files: stdioServer('piped', witness) } })
    const client = new StdioClient(startStdioGateway(site))
    await client.initialize()
    expect(toolNames(await client.request('tools/list'))).toEqual(NAMES)
    const answer = await client.request('tools/call', {
      name: 'retrieve_tools',
      arguments: { query: 'echo' },
    })
    expect(dataOf<{ tools: { id: string }[] }>(answer).tools[0]?.id).toBe('files:echo')
    const called = { name: 'call_tool_read', arguments: { name: 'files:echo', args: { piped: true } } }
    expect((await client.modern('tools/call', called)).result?.structuredContent).toEqual({ piped: true })
    expect(await client.leave()).toBe(0)
  })
})

describe('answers match the declared output schemas', () => {
  /** Each produces another kind of answer. */
  const CALLS: readonly (readonly [string, Json])[] = [
    ['retrieve_tools', { query: 'echo' }],
    ['retrieve_tools', { query: 'echo', detail: 'full', limit: 50 }],
    ['retrieve_tools', { query: 'zzzzzzzzz' }],
    ['retrieve_tools', { query: 'destroy', read_only: true }],
    ['retrieve_tools', { query: '', max_tokens: 100 }],
    ['describe_tool', { name: 'files:destroy' }],
    ['call_tools_read', { calls: [{ name: 'files:echo', args: { a: 1 } }, { name: 'mail:fail' }] }],
    ['call_tools_read', { calls: [{ name: 'files:nothing' }, { name: 'files:error' }] }],
  ]

  it.each(ERAS.flatMap(era => CALLS.map(([tool, args]) => [era, tool, args] as const)))(
    '%s client, %s %j',
    async (era, tool, args) => {
      const client = await open(era)
      const definition = (await list(client)).find(({ name }) => name === tool)
      const answer = await client.call(tool, args)
      expect(problems(definition?.outputSchema ?? { not: {} }, dataOf(answer))).toEqual([])
      // A client that shows only text shows the same.
      expect(JSON.parse(textOf(answer))).toEqual(dataOf(answer))
    },
  )

  it('on each page of a long result', async () => {
    const client = await open()
    const definition = (await list(client)).find(({ name }) => name === 'read_result')
    const cut = await client.call('call_tool_read', { name: 'files:big', args: { bytes: 10_000 } })
    const { handle } = markOf(cut)
    let cursor: string | undefined
    let pages = 0
    do {
      const page: Json = dataOf(await client.call('read_result', { handle, ...(cursor && { cursor }) }))
      expect(problems(definition?.outputSchema ?? { not: {} }, page)).toEqual([])
      cursor = page.next as string | undefined
      pages += 1
    } while (cursor !== undefined)
    expect(pages).toBeGreaterThan(3)
  })
})

describe('invalid arguments are refused with the name of the field', () => {
  const name = 'files:echo'
  const WRONG: readonly (readonly [tool: string, field: string, args: unknown])[] = [
    ['retrieve_tools', 'query', {}],
    ['retrieve_tools', 'query', { query: 7 }],
    ['retrieve_tools', 'query', { query: null }],
    ['retrieve_tools', 'query', { query: 'x'.repeat(2001) }],
    ['retrieve_tools', 'limit', { query: 'x', limit: 0 }],
    ['retrieve_tools', 'limit', { query: 'x', limit: 51 }],
    ['retrieve_tools', 'limit', { query: 'x', limit: 2.5 }],
    ['retrieve_tools', 'limit', { query: 'x', limit: '5' }],
    ['retrieve_tools', 'servers', { query: 'x', servers: 'files' }],
    ['retrieve_tools', 'servers[1]', { query: 'x', servers: ['files', 7] }],
    ['retrieve_tools', 'category', { query: 'x', category: 'admin' }],
    ['retrieve_tools', 'read_only', { query: 'x', read_only: 'yes' }],
    ['retrieve_tools', 'exclude_destructive', { query: 'x', exclude_destructive: 1 }],
    ['retrieve_tools', 'detail', { query: 'x', detail: 'medium' }],
    ['retrieve_tools', 'max_tokens', { query: 'x', max_tokens: 5 }],
    ['retrieve_tools', 'readonly', { query: 'x', readonly: true }],
    ['describe_tool', 'name', {}],
    ['describe_tool', 'name', { name: 7 }],
    ['describe_tool', 'server', { name, server: 'files' }],
    ['call_tool_read', 'name', {}],
    ['call_tool_read', 'args', { name, args: '{"a":1}' }],
    ['call_tool_read', 'args', { name, args: [1] }],
    ['call_tool_read', 'args', { name, args: null }],
    ['call_tool_read', 'arguments', { name, arguments: {} }],
    ['call_tool_write', 'intent.operation_type', { name, intent: { operation_type: 'admin' } }],
    ['call_tool_write', 'intent.data_sensitivity', { name, intent: { data_sensitivity: 'low' } }],
    ['call_tool_destructive', 'intent.approved', { name, intent: { approved: true } }],
    ['call_tool_destructive', 'confirmed', { name, confirmed: true }],
    ['call_tools_read', 'calls', {}],
    ['call_tools_read', 'calls', { calls: [] }],
    ['call_tools_read', 'calls', { calls: { name } }],
    ['call_tools_read', 'calls[0].name', { calls: [{}] }],
    ['call_tools_read', 'calls[1].intent', { calls: [{ name }, { name, intent: {} }] }],
    ['call_tools_read', 'max_parallel', { calls: [{ name }], max_parallel: 0 }],
    ['call_tools_read', 'max_parallel', { calls: [{ name }], max_parallel: 17 }],
    ['read_result', 'handle', {}],
    ['read_result', 'limit', { handle: 'x', limit: 0 }],
    ['read_result', 'offset', { handle: 'x', offset: 3 }],
    ['retrieve_tools', '', ['query']],
    ['retrieve_tools', '', 'query'],
  ]

  it.each(WRONG)('%s: %s', async (tool, field, args) => {
    const answer = await (await open()).request('tools/call', { name: tool, arguments: args })
    const error = refusal(answer)
    expect([error.code, error.tool]).toEqual(['invalid_arguments', tool])
    // For a missing or unknown field, the path is that of the containing object.
    expect([field, field.replace(/\.?\w+$/, '')]).toContain(error.field)
    expect(error.message).toContain(field.split('.').at(-1))
    expect(error.message).toContain(error.expected)
    expect(error.schema).toBeDefined()
  })

  it('for a legacy client too, and the server gets no call', async () => {
    const client = await open('legacy')
    const before = witness.of('files').length
    for (const args of [{ name, arguments: {} }, { name, args: 'x' }, { args: {} }, {}])
      expect(refusal(await client.call('call_tool_read', args as Json)).code).toBe('invalid_arguments')
    await client.call('call_tool_read', { name, args: { mark: 'the first to arrive' } })
    await witness.saw('files', 'received', ({ raw }) => raw?.includes('the first to arrive') ?? false)
    const later = witness
      .of('files')
      .slice(before)
      .filter(({ method }) => method === 'tools/call')
    expect(later.map(({ raw }) => raw?.includes('the first to arrive'))).toEqual([true])
  })
})
