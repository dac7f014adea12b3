import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AdminClient } from '../../packages/gateway/src/admin/client.ts'
import { SCHEMAS } from '../../packages/gateway/src/admin/contract/contract.ts'
import { adminWith, codeOf } from '../support/admin.ts'
import { cleanUp } from '../support/clean-up.ts'
import { type Gateway, startReadyGateway } from '../support/gateway.ts'
import { ModernClient, toolNames } from '../support/raw-mcp.ts'
import { ScriptedServer, scripted } from '../support/scripted-server.ts'
import { openWitness } from '../support/witness.ts'

const SECRET = `ghp_${'Ab3dE6gH9jK2mN5pQ8sT1vW4yZ7'.repeat(2).slice(0, 36)}`
const ARGS = { type: 'object', properties: { workspace: { type: 'string' }, key: { type: 'string' } } }

let gateway: Gateway
let admin: AdminClient
let viewer: AdminClient

beforeAll(async () => {
  const witness = await openWitness()
  const tools = [scripted('get', { inputSchema: ARGS }), scripted('list')]
  gateway = await startReadyGateway({
    mcpServers: { crm: new ScriptedServer('crm', witness, tools).config },
    toolsets: {
      support: {
        select: ['crm:get'],
        overrides: { 'crm:get': { name: 'find', arguments: { key: SECRET } } },
      },
      short: ['crm:*'],
    },
  })
  admin = await adminWith(gateway, 'admin')
  viewer = await adminWith(gateway, 'viewer')
})
afterAll(cleanUp)

const params = { name: 'support' }

describe('toolsets over the admin API', () => {
  it('are listed and shown beside the reviewed definitions, without secrets', async () => {
    const list = await viewer.listToolsets()
    expect(SCHEMAS.listToolsets.response.strict().safeParse(list).error).toBeUndefined()
    expect(list.items).toMatchObject([
      { name: 'support', path: '/mcp/sets/support', tools: 1, held: 0 },
      { name: 'short', tools: 3 },
    ])
    const page = await viewer.getToolset({ params })
    expect(SCHEMAS.getToolset.response.strict().safeParse(page).error).toBeUndefined()
    expect(page.listed).toMatchObject([
      { name: 'find', id: 'crm:get', pinned: { title: 'Get' }, override: { author: 'config' } },
    ])
    expect(JSON.stringify([list, page])).not.toContain(SECRET)
    expect(await codeOf(viewer.getToolset({ params: { name: 'nope' } }))).toBe('not_found')
  })

  it('are named by the page of a tool', async () => {
    const { sets } = await viewer.getTool({ params: { server: 'crm', name: 'get' } })
    expect(sets).toMatchObject([
      { set: 'support', name: 'find', override: { author: 'config' } },
      { set: 'short', name: 'crm__get' },
    ])
  })

  it('note who wrote an override and for which definition, and apply at once', async () => {
    const { config, etag } = await admin.getToolset({ params })
    const { overrides } = config as { overrides: Record<string, Record<string, unknown>> }
    const changed = { ...overrides['crm:get'], title: 'Find one', author: 'somebody else' }
    const body = { config: { ...config, overrides: { 'crm:get': changed } } }
    const page = await admin.updateToolset({ params, body, ifMatch: etag })
    const [tool] = page.listed
    expect(tool).toMatchObject({ title: 'Find one', override: { written_for: tool?.pinned.fingerprint } })
    expect(tool?.override?.author).not.toBe('somebody else')
    expect(tool?.override?.author).not.toBe('config')
    // The mask that was sent back keeps the secret.
    expect(readFileSync(gateway.site.configFile, 'utf8')).toContain(SECRET)
    expect(await codeOf(admin.updateToolset({ params, body, ifMatch: etag }))).toBe('stale_edit')
  })

  it('are added and removed', async () => {
    await admin.addToolset({ body: { name: 'fresh', config: ['crm:list'] } })
    const client = new ModernClient(`${gateway.url}/mcp/sets/fresh`, await gateway.site.token())
    expect(toolNames(await client.request('tools/list'))).toEqual(['crm__list'])
    expect(await codeOf(admin.addToolset({ body: { name: 'fresh', config: ['x'] } }))).toBe('name_taken')
    const { etag } = await admin.getToolset({ params: { name: 'fresh' } })
    await admin.removeToolset({ params: { name: 'fresh' }, ifMatch: etag })
    const reply = client.open('tools/list')
    await reply.closed
    expect(reply.status).toBe(404)
  })

  it('are refused with the reason if the config would be invalid', async () => {
    const config = { select: ['crm:*'], overrides: { 'crm:get': { name: 'read_result' } } }
    const refused = admin.addToolset({ body: { name: 'wrong', config } })
    await expect(refused).rejects.toMatchObject({
      problem: { detail: expect.stringContaining('read_result') },
    })
    expect(await codeOf(viewer.addToolset({ body: { name: 'x', config: ['crm:*'] } }))).toBe('role_needed')
  })
})
