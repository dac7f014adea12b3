import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { cleanUp } from '../support/clean-up.ts'
import { waitingFor } from '../support/confirming.ts'
import { type Gateway, type GatewayConfig, startGatewayAt, startReadyGateway } from '../support/gateway.ts'
import { hintgate } from '../support/hintgate.ts'
import { PATIENTLY } from '../support/patience.ts'
import { type Json, LegacyClient, textOf, toolNames, toolsOf } from '../support/raw-mcp.ts'
import { ScriptedServer, scripted, WRITES } from '../support/scripted-server.ts'
import { refusal } from '../support/search-client.ts'
import { openWitness, type Witness } from '../support/witness.ts'

const schema = (...names: readonly string[]) => ({
  type: 'object',
  properties: Object.fromEntries(names.map(name => [name, { type: 'string' }])),
})
const task = (more: Json) => scripted('create_task', { annotations: WRITES, ...more })
const BEFORE = task({ inputSchema: schema('workspace', 'title') })
const REWORDED = task({ inputSchema: schema('workspace', 'title'), description: 'Makes a task.' })
const WITHOUT = task({ inputSchema: schema('title') })

const TOOLSETS = {
  support: {
    select: ['crm:*'],
    overrides: { 'crm:create_task': { name: 'add_task', arguments: { workspace: 'acme' } } },
  },
}

let witness: Witness

beforeAll(async () => {
  witness = await openWitness()
})
afterAll(cleanUp)

async function start(name: string, more: GatewayConfig = {}) {
  const crm = new ScriptedServer(name, witness, [BEFORE], { more: { trust: 'reviewed' } })
  const config = { mcpServers: { crm: crm.config }, toolsets: TOOLSETS, quarantine: true, ...more }
  const gateway = await startReadyGateway(config)
  const token = await gateway.site.token()
  await review(gateway)
  const client = await open(gateway, token)
  await vi.waitUntil(async () => (await names(client)).includes('add_task'), PATIENTLY)
  return { crm, config, gateway, token, client }
}

const open = (gateway: Gateway, token: string) =>
  new LegacyClient(`${gateway.url}/mcp/sets/support`, token).initialize()

const names = async (client: LegacyClient) => toolNames(await client.request('tools/list'))

async function review(gateway: Gateway): Promise<void> {
  await vi.waitUntil(async () => {
    const { code } = await hintgate(['tools', 'approve', '--all', '--yes', ...gateway.site.flags])
    return code === 0
  }, PATIENTLY)
}

/** What the server received as the arguments of the tool. */
const received = (server: string) =>
  witness
    .of(server)
    .filter(({ method }) => method === 'tools/call')
    .map(({ raw }) => (JSON.parse(String(raw)) as { params: Json }).params.arguments)

describe('a set whose server changes a definition', () => {
  it('loses the tool until the review, and then presents it as before', async () => {
    const { crm, gateway, client } = await start('drifting')
    const stream = await client.listen()
    crm.change([REWORDED])
    await stream.messages.until(({ method }) => method === 'notifications/tools/list_changed')
    expect(await names(client)).not.toContain('add_task')
    expect(refusal(await client.call('add_task', { title: 'x' })).code).toBe('quarantined')
    await review(gateway)
    await vi.waitUntil(async () => (await names(client)).includes('add_task'), PATIENTLY)
    const tools = toolsOf(await client.request('tools/list')) as unknown as Json[]
    expect(tools.find(({ name }) => name === 'add_task')).toMatchObject({ description: 'Makes a task.' })
    expect(textOf(await client.call('add_task', { title: 'x' }))).toContain('"workspace":"acme"')
  })

  it('holds a tool back whose fixed argument is gone, and never calls it without', async () => {
    const { crm, gateway, client } = await start('losing')
    crm.change([WITHOUT])
    await vi.waitUntil(async () => !(await names(client)).includes('add_task'), PATIENTLY)
    await review(gateway)
    await vi.waitUntil(
      async () => refusal(await client.call('add_task', { title: 'x' })).code === 'unknown_tool',
      PATIENTLY,
    )
    expect(await names(client)).toEqual(['crm__echo'])
    expect(received('losing')).toEqual([])
  })
})

describe('an override of a set', () => {
  it('survives a restart', async () => {
    const { gateway, token } = await start('restarted')
    await gateway.stop()
    const again = await startGatewayAt(gateway.site)
    const client = await open(again, token)
    await vi.waitUntil(async () => (await names(client)).includes('add_task'), PATIENTLY)
    expect(textOf(await client.call('add_task', { title: 'x' }))).toContain('"workspace":"acme"')
  })

  it('applies at once when the config changes, and sessions stay', async () => {
    const { gateway, config, client } = await start('changing')
    const stream = await client.listen()
    const overrides = { 'crm:create_task': { name: 'new_task', arguments: { workspace: 'other' } } }
    gateway.site.configure({ ...config, toolsets: { support: { select: ['crm:*'], overrides } } })
    await stream.messages.until(({ method }) => method === 'notifications/tools/list_changed')
    expect(await names(client)).toEqual(['new_task', 'crm__echo'])
    expect(refusal(await client.call('add_task', { title: 'x' })).code).toBe('unknown_tool')
    expect(textOf(await client.call('new_task', { title: 'x' }))).toContain('"workspace":"other"')
  })

  it('ends an approval that was given for other fixed arguments', async () => {
    const { gateway, config, client } = await start('asking', { confirm: { write: 'always' } })
    const { id } = waitingFor(await client.call('add_task', { title: 'x' }))
    const { code } = await hintgate(['approvals', 'approve', id, ...gateway.site.flags])
    expect(code).toBe(0)
    const overrides = { 'crm:create_task': { name: 'add_task', arguments: { workspace: 'other' } } }
    gateway.site.configure({ ...config, toolsets: { support: { select: ['crm:*'], overrides } } })
    await gateway.says(/reloaded the configuration/)
    expect(waitingFor(await client.call('add_task', { title: 'x' })).id).not.toBe(id)
    expect(received('asking')).toEqual([])
  })

  it('ends with its set, with the sessions there', async () => {
    const { gateway, config, client } = await start('ending')
    gateway.site.configure({ ...config, toolsets: {} })
    await gateway.says(/reloaded the configuration/)
    const reply = client.open('tools/list')
    await reply.closed
    expect(reply.status).toBe(404)
  })
})
