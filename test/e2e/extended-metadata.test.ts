import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PRESETS } from '@hintgate/metadata'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cleanUp, later } from '../support/clean-up.ts'
import { type Gateway, startReadyGateway } from '../support/gateway.ts'
import { hintgate } from '../support/hintgate.ts'
import { run } from '../support/processes.ts'
import { type Json, ModernClient } from '../support/raw-mcp.ts'
import { DESTROYS, READS, ScriptedServer, scripted } from '../support/scripted-server.ts'
import { type Client, connect, dataOf, EVERYTHING, retrieve, searchUrl } from '../support/search-client.ts'
import { StdioClient } from '../support/stdio-client.ts'
import { openWitness } from '../support/witness.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** A server of the toolkit with one tool for each preset, and no titles. */
function presetServer(): string {
  // Inside the repository, so that it finds the toolkit.
  const folder = mkdtempSync(join(ROOT, 'test/preset-server-'))
  later(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'server.mjs')
  const lines = Object.keys(PRESETS).map(
    preset =>
      `.tool({ name: 'do_${preset.replaceAll('-', '_')}', description: 'x', preset: '${preset}', execute: ctx => ctx.text('x') })`,
  )
  writeFileSync(
    file,
    `import { Toolkit } from '@hintgate/toolkit'\nawait new Toolkit({ name: 'kit', version: '1' })${lines.join('\n')}.serve()\n`,
  )
  return file
}

let gateway: Gateway
let client: Client

beforeAll(async () => {
  const witness = await openWitness()
  const silent = { annotations: undefined, description: undefined }
  const titled = { annotations: { ...READS, title: 'By annotation' }, title: 'By itself' }
  const server = new ScriptedServer('unknown', witness, [
    scripted('list_things', silent),
    scripted('purge_things', silent),
    scripted('frobnicate', silent),
    scripted('look', titled),
    scripted('wipe', { annotations: DESTROYS }),
  ])
  gateway = await startReadyGateway({
    mcpServers: { unknown: { ...server.config, trust: 'reviewed' } },
  })
  client = await connect(searchUrl(gateway), await gateway.site.token({ permissions: EVERYTHING }))
})
afterAll(cleanUp)

async function listed(server?: string): Promise<ReadonlyMap<string, Json>> {
  const { result } = await new ModernClient(gateway.endpoint(server), client.token).request('tools/list', {})
  const tools = (result?.tools ?? []) as (Json & { name: string })[]
  return new Map(tools.map(tool => [tool.name.replace('unknown__', ''), tool]))
}

describe('the title of a tool', () => {
  it.each(['direct', 'server'])('is made from its name if it has none, in both places: %s', async surface => {
    const tools = await listed(surface === 'server' ? 'unknown' : undefined)
    const title = 'List things'
    expect(tools.get('list_things')).toMatchObject({ title, annotations: { title } })
    expect(tools.get('look')).toMatchObject({ title: 'By itself', annotations: { title: 'By annotation' } })
    for (const tool of tools.values())
      expect([tool.title, (tool.annotations as Json).title]).not.toContain(undefined)
  })

  it('is sent by a tool of the toolkit that has only a preset', async () => {
    const direct = new StdioClient(run(process.execPath, [presetServer()]))
    await direct.initialize()
    const { result } = await direct.request('tools/list', {})
    const tools = result?.tools as readonly Json[]
    expect(tools).toHaveLength(Object.keys(PRESETS).length)
    for (const { name, title, annotations } of tools) {
      expect(title).toBe(String(name).replace('do_', 'Do ').replaceAll('_', ' '))
      expect(annotations).toMatchObject({ title })
    }
  })
})

describe('the category of a tool', () => {
  const shown = async (name: string) => {
    const [found] = (await retrieve(client, `unknown:${name}`, { limit: 1 })).tools
    const described = dataOf(await client.call('describe_tool', { name: `unknown:${name}` }))
    const remarks = (await listed()).get(name)?._meta as Record<string, Json>
    return [found, described, remarks['io.hintgate/effective']]
  }

  it.each([
    ['list_things', 'write', 'Changes data', 'default'],
    ['purge_things', 'delete', 'Deletes data', 'inferred'],
    ['wipe', 'delete', 'Deletes data', 'declared'],
  ])('has a label and a source: %s', async (name, category, category_label, category_source) => {
    for (const view of await shown(name))
      expect(view).toMatchObject({ category, category_label, category_source })
  })

  it('is shown beside the one that the words suggest, which relaxes nothing', async () => {
    for (const view of await shown('list_things'))
      expect(view).toMatchObject({
        call_with: 'call_tool_write',
        inferred_category: {
          category: 'read',
          category_label: 'Reads data',
          source: 'inferred',
          confidence: expect.closeTo(1, 0) as number,
        },
      })
    for (const name of ['purge_things', 'frobnicate'])
      for (const view of await shown(name)) expect(view).not.toHaveProperty('inferred_category')
    const { stdout } = await hintgate(['tools', 'show', 'unknown:list_things', ...gateway.site.flags])
    expect(stdout).toMatch(/risk +2 \(write; its words suggest read\)/)
    const reads = await retrieve(client, 'things', { category: 'read' })
    expect(reads.tools.map(({ id }) => id)).not.toContain('unknown:list_things')
  })
})
