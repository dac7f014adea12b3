import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cleanUp } from '../support/clean-up.ts'
import { readBlocks } from '../support/doc-blocks.ts'
import { type Gateway, type GatewayConfig, startReadyGateway } from '../support/gateway.ts'
import { hintgate } from '../support/hintgate.ts'
import type { Json } from '../support/raw-mcp.ts'
import { ScriptedServer, type ScriptedTool, scripted, WRITES } from '../support/scripted-server.ts'
import { SDK_V1, SDK_V2_AUTO, type SdkClient } from '../support/sdk-clients.ts'
import { openWitness } from '../support/witness.ts'

/** The examples of docs/toolsets.md, in their order, each through a client of the SDK. */

const answering = (value: Json) => ({
  result: { content: [{ type: 'text', text: JSON.stringify(value) }], structuredContent: value },
})
const tagged = { _meta: { 'io.hintgate/metadata': { tags: ['billing'] } } }
const finance = { _meta: { 'io.hintgate/metadata': { classification: { serviceDomains: ['payments'] } } } }
const TASK = {
  type: 'object',
  properties: { workspace: { type: 'string' }, title: { type: 'string' }, urgent: { type: 'boolean' } },
  required: ['workspace', 'title'],
}
const CUSTOMER = { name: 'Ada', salary: 7, orders: [{ total: 12, card: 'x' }] }

const CRM: readonly ScriptedTool[] = [
  scripted('get_contact', {}, answering(CUSTOMER)),
  scripted('get_salary'),
  scripted('list_invoices', finance),
  scripted('send_reminder', { annotations: WRITES, ...tagged }),
  scripted('create_task', { annotations: WRITES, inputSchema: TASK }),
]
const FILES = [scripted('read_file'), scripted('write_file', { annotations: WRITES })]

const EXAMPLES = readBlocks('docs/toolsets.md')
  .filter(({ language }) => language === 'json')
  .map(({ text }) => JSON.parse(text) as GatewayConfig)
const [BY_NAME, BY_HINT, BY_DOMAIN, PRESENTED, SEARCHED, FOR_TOKEN] = EXAMPLES

let started: (config: GatewayConfig | undefined) => Promise<Gateway>

beforeAll(async () => {
  const witness = await openWitness()
  const mcpServers = {
    crm: new ScriptedServer('crm', witness, CRM).config,
    files: new ScriptedServer('files', witness, FILES).config,
  }
  started = config => startReadyGateway({ mcpServers, ...config })
})
afterAll(cleanUp)

async function open(gateway: Gateway, set: string, token?: string): Promise<SdkClient> {
  const client = await SDK_V2_AUTO.create({ capabilities: {} })
  const own = token ?? (await gateway.site.token({ permissions: 'retrieve_tools,read,write' }))
  await client.connect(await SDK_V2_AUTO.http(`${gateway.url}/mcp/sets/${set}`, own))
  return client
}

const namesOf = async (client: SdkClient): Promise<string[]> =>
  (await client.listTools()).tools.map(({ name }) => name)

describe('the examples of docs/toolsets.md', () => {
  it('are all here', () => {
    expect(EXAMPLES).toHaveLength(6)
  })

  it('choose tools by name', async () => {
    const client = await open(await started(BY_NAME), 'support')
    expect(await namesOf(client)).toEqual(['crm__get_contact', 'crm__get_salary', 'files__read_file'])
    const result = await client.callTool({ name: 'files__read_file', arguments: {} })
    expect(JSON.stringify(result)).toContain('read_file')
  })

  it('choose tools by hint', async () => {
    const client = await open(await started(BY_HINT), 'reading')
    expect(await namesOf(client)).toEqual([
      ...['crm__get_contact', 'crm__list_invoices', 'crm__echo'],
      ...['files__read_file', 'files__echo'],
    ])
  })

  it('choose tools by domain and tag', async () => {
    const client = await open(await started(BY_DOMAIN), 'billing')
    expect(await namesOf(client)).toEqual(['crm__get_contact', 'crm__list_invoices', 'crm__send_reminder'])
  })

  it('present tools', async () => {
    const gateway = await started(PRESENTED)
    const client = await open(gateway, 'support')
    expect(await namesOf(client)).toEqual(['find_customer', 'add_task'])
    const found = await client.callTool({ name: 'find_customer', arguments: {} })
    expect(found.structuredContent).toEqual({ name: 'Ada', orders: [{ total: 12 }] })
    const added = await client.callTool({ name: 'add_task', arguments: { title: 'x' } })
    expect(JSON.stringify(added)).toContain('acme')
    const refused = await client.callTool({ name: 'add_task', arguments: { title: 'x', workspace: 'y' } })
    expect(refused).toMatchObject({ isError: true })
    const { stdout } = await hintgate(['sets', 'list', ...gateway.site.flags])
    expect(stdout).toMatch(/^support +direct +2 +0 +\/mcp\/sets\/support$/m)
  })

  it('search in a set', async () => {
    const client = await open(await started(SEARCHED), 'research')
    expect(await namesOf(client)).toContain('retrieve_tools')
    const search = { name: 'retrieve_tools', arguments: { query: 'invoices' } }
    const { structuredContent } = await client.callTool(search)
    expect((structuredContent as { tools: Json[] }).tools[0]).toMatchObject({ id: 'crm__list_invoices' })
    const call = { name: 'call_tool_read', arguments: { name: 'crm__list_invoices' } }
    expect(JSON.stringify(await client.callTool(call))).toContain('list_invoices')
    const outside = { name: 'call_tool_write', arguments: { name: 'crm__create_task', args: {} } }
    expect(JSON.stringify(await client.callTool(outside))).toContain('unknown_tool')
  })

  it('give a token only its sets', async () => {
    const secret = `hg_agent_${'c2V0'.repeat(11).slice(0, 43)}`
    const { agent_tokens, ...rest } = FOR_TOKEN as { agent_tokens: { 'support-bot': Json } }
    const bot = { ...agent_tokens['support-bot'], token: secret }
    const gateway = await started({ ...rest, agent_tokens: { 'support-bot': bot } })
    expect(await namesOf(await open(gateway, 'support', secret))).toEqual([
      'crm__get_contact',
      'crm__get_salary',
    ])
    const elsewhere = await SDK_V1.create({ capabilities: {} })
    await expect(elsewhere.connect(await SDK_V1.http(gateway.endpoint(), secret))).rejects.toThrow()
  })
})
