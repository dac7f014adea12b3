import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cleanUp } from '../support/clean-up.ts'
import { type Gateway, startReadyGateway } from '../support/gateway.ts'
import { type Json, textOf, toolNames, toolsOf } from '../support/raw-mcp.ts'
import { DESTROYS, READS, ScriptedServer, scripted, WRITES } from '../support/scripted-server.ts'
import { SDK_V1, SDK_V2_AUTO } from '../support/sdk-clients.ts'
import { connect, dataOf, ERAS, EVERYTHING, idsOf, refusal, retrieve } from '../support/search-client.ts'
import { openWitness, type Witness } from '../support/witness.ts'

const PERSON = {
  id: 7,
  name: 'Ada',
  email: 'ada@example.com',
  salary: 100,
  notes: [
    { text: 'first', by: 'x' },
    { text: 'second', by: 'y' },
  ],
}

const answering = (value: Json, more: Json = {}) => ({
  result: { content: [{ type: 'text', text: JSON.stringify(value) }], structuredContent: value, ...more },
})

const TASK = {
  type: 'object',
  properties: {
    workspace: { type: 'string', description: 'The workspace' },
    title: { type: 'string' },
    urgent: { type: 'boolean' },
  },
  required: ['workspace', 'title'],
}

const CRM = [
  scripted('list_contacts'),
  scripted(
    'get_contact',
    { outputSchema: { type: 'object', properties: { salary: {} } } },
    answering(PERSON),
  ),
  scripted('get_text', {}, { result: { content: [{ type: 'text', text: 'salary: 100' }] } }),
  scripted('get_long', {}, answering({ text: 'long '.repeat(2000) })),
  scripted('create_task', { annotations: WRITES, inputSchema: TASK }),
  scripted('delete_contact', { annotations: DESTROYS }),
]
const FILES = [scripted('read_file'), scripted('write_file', { annotations: WRITES }), scripted('get')]

let witness: Witness
let gateway: Gateway
let token: string

const CONFIG = {
  toolsets: {
    reading: { select: { servers: ['crm', 'files'], hints: { readOnlyHint: true } }, except: ['*:echo'] },
    short: ['crm:list_*', 'files:read_file'],
    support: {
      title: 'Support',
      instructions: 'Find the customer first.',
      select: ['crm:*'],
      except: ['crm:echo'],
      overrides: {
        'crm:get_contact': {
          name: 'find_customer',
          title: 'Find a customer',
          description: 'Finds a customer of ours.',
          keep: ['/name', '/notes/text'],
        },
        'crm:get_text': { keep: ['/name'] },
        'crm:list_contacts': { hints: { destructiveHint: true } },
        'crm:create_task': { name: 'add_task', arguments: { workspace: 'acme' }, hidden: ['urgent'] },
        'crm:delete_contact': { hints: { destructiveHint: false } },
      },
    },
    found: {
      surface: 'search',
      select: ['crm:get_contact', 'crm:get_long', 'crm:create_task'],
      answer: 2000,
      overrides: {
        'crm:get_contact': { name: 'find_customer', query: '{who: name, first: notes[0].text}' },
        'crm:create_task': { name: 'add_task', arguments: { workspace: 'acme' } },
      },
    },
    brief: { select: ['crm:get_long'], answer: 2000 },
  },
}

beforeAll(async () => {
  witness = await openWitness()
  gateway = await startReadyGateway({
    mcpServers: {
      crm: new ScriptedServer('crm', witness, CRM).config,
      files: new ScriptedServer('files', witness, FILES).config,
    },
    ...CONFIG,
  })
  token = await gateway.site.token({ permissions: EVERYTHING })
})
afterAll(cleanUp)

const at = (set: string): string => `${gateway.url}/mcp/sets/${set}`

describe.each(ERAS)('a toolset, for a %s client', era => {
  const open = (set: string) => connect(at(set), token, era)

  it('lists the read-only tools of two servers', async () => {
    const names = toolNames(await (await open('reading')).request('tools/list'))
    expect(names.toSorted()).toEqual([
      'crm__get_contact',
      'crm__get_long',
      'crm__get_text',
      'crm__list_contacts',
      'files__get',
      'files__read_file',
    ])
  })

  it('can be a list of ids', async () => {
    const names = toolNames(await (await open('short')).request('tools/list'))
    expect(names).toEqual(['crm__list_contacts', 'files__read_file'])
  })

  it('presents a tool under its own name, title and description, without its fixed arguments', async () => {
    const tools = toolsOf(await (await open('support')).request('tools/list')) as unknown as Json[]
    const found = new Map(tools.map(tool => [tool.name, tool]))
    const customer = found.get('find_customer')
    expect(customer).toMatchObject({ title: 'Find a customer', description: 'Finds a customer of ours.' })
    expect(customer).not.toHaveProperty('outputSchema')
    expect(found.get('add_task')?.inputSchema).toEqual({
      type: 'object',
      properties: { title: { type: 'string' } },
      required: ['title'],
    })
    expect(JSON.stringify(found.get('add_task'))).not.toMatch(/workspace|urgent/i)
    expect(found.has('crm__get_contact')).toBe(false)
  })

  it('only tightens hints', async () => {
    const tools = toolsOf(await (await open('support')).request('tools/list')) as unknown as Json[]
    const hintsOf = (name: string) => tools.find(tool => tool.name === name)?.annotations
    expect(hintsOf('crm__list_contacts')).toMatchObject({ destructiveHint: true, readOnlyHint: false })
    expect(hintsOf('crm__delete_contact')).toMatchObject({ destructiveHint: true })
  })

  it('sends the fixed arguments, and the agent cannot set them in any spelling', async () => {
    const client = await open('support')
    const answer = await client.call('add_task', { title: 'x' })
    expect(JSON.parse(textOf(answer))).toMatchObject({ arguments: { title: 'x', workspace: 'acme' } })
    for (const key of [
      'workspace',
      'Workspace',
      'WORKSPACE',
      'work_space',
      'wоrkspace',
      'urgent',
      'Urgent',
      'workspace\u200b',
    ]) {
      const refused = refusal(await client.call('add_task', { title: 'x', [key]: 'other' }))
      expect(refused.code, key).toBe('invalid_arguments')
    }
  })

  it('explains wrong arguments by the schema that the agent knows', async () => {
    const { code, field, schema } = refusal(await (await open('support')).call('add_task', {}))
    expect([code, field]).toEqual(['invalid_arguments', 'title'])
    expect(JSON.stringify(schema)).not.toContain('workspace')
  })

  it('shows only the kept fields of a result, in every member', async () => {
    const { result } = await (await open('support')).call('find_customer')
    expect(result?.structuredContent).toEqual({ name: 'Ada', notes: [{ text: 'first' }, { text: 'second' }] })
    expect(JSON.stringify(result)).not.toMatch(/salary|example\.com|"by"/)
  })

  it('withholds a result that its filter does not fit', async () => {
    const answer = await (await open('support')).call('crm__get_text')
    expect(refusal(answer).code).toBe('guardrail_blocked')
    expect(JSON.stringify(answer)).not.toContain('100')
  })

  it('knows no tool by the name that it has elsewhere', async () => {
    const client = await open('support')
    for (const name of [
      'crm__get_contact',
      'crm:get_contact',
      'get_contact',
      'files__read_file',
      'Find_Customer',
    ])
      expect(refusal(await client.call(name)).code, name).toBe('unknown_tool')
  })

  it('is searched, described and called within its bounds', async () => {
    const client = await open('found')
    const found = await retrieve(client, 'customer', { limit: 50, detail: 'full' })
    expect(idsOf(await retrieve(client, '', { limit: 50 })).toSorted()).toEqual([
      'add_task',
      'crm__get_long',
      'find_customer',
    ])
    expect(found.tools[0]?.id).toBe('find_customer')
    const described = dataOf(await client.call('describe_tool', { name: 'add_task' }))
    expect(described).toMatchObject({ id: 'add_task', name: 'add_task' })
    expect(JSON.stringify(described)).not.toContain('workspace')
    const customer = await client.call('call_tool_read', { name: 'find_customer' })
    expect(dataOf(customer)).toEqual({ who: 'Ada', first: 'first' })
    const added = await client.call('call_tool_write', { name: 'add_task', args: { title: 'x' } })
    expect(JSON.parse(textOf(added))).toMatchObject({ arguments: { title: 'x', workspace: 'acme' } })
    const both = await client.call('call_tools_read', {
      calls: [{ name: 'find_customer' }, { name: 'crm:get_contact' }],
    })
    expect(dataOf(both)).toMatchObject({
      results: [{ ok: true }, { ok: false, error: { code: 'unknown_tool' } }],
    })
  })

  it.each(['found', 'brief'])('cuts a long answer in %s, and reads the rest there only', async set => {
    const client = await open(set)
    const answer =
      set === 'brief'
        ? await client.call('crm__get_long')
        : await client.call('call_tool_read', { name: 'crm__get_long' })
    expect(JSON.stringify(answer.result).length).toBeLessThan(2500)
    const handle = /"handle":\\?"(res_[\w-]+)/.exec(JSON.stringify(answer.result))?.[1]
    const page = dataOf(await client.call('read_result', { handle }))
    expect(JSON.stringify(page).length).toBeLessThan(2500)
    expect(page).toMatchObject({ handle, tool: 'crm__get_long' })
    const elsewhere = await connect(`${gateway.url}/mcp`, token, era)
    expect(refusal(await elsewhere.call('read_result', { handle })).code).toBe('invalid_arguments')
  })
})

describe.each([SDK_V1, SDK_V2_AUTO])('a client with $name', generation => {
  it('lists and calls the tools of a set', async () => {
    const client = await generation.create({ capabilities: {} })
    await client.connect(await generation.http(at('support'), token))
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toContain('find_customer')
    const result = await client.callTool({ name: 'find_customer', arguments: {} })
    expect(result.structuredContent).toMatchObject({ name: 'Ada' })
    await expect(client.listTools()).resolves.toMatchObject({ tools: { length: tools.length } })
  })
})

describe('the instructions of a set', () => {
  it('reach clients with its title', async () => {
    const client = await connect(at('support'), token)
    const { result } = await client.request('server/discover')
    expect(JSON.stringify(result)).toContain('Find the customer first.')
    expect(JSON.stringify(result)).toContain('"title":"Support"')
  })
})

it('uses the annotations of the server where the set says nothing', async () => {
  const tools = toolsOf(await (await connect(at('short'), token)).request('tools/list')) as unknown as Json[]
  expect(tools[0]?.annotations).toMatchObject(READS)
})
