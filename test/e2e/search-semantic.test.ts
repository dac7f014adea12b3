import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cleanUp } from '../support/clean-up.ts'
import { type Gateway, Site, startGatewayAt } from '../support/gateway.ts'
import { hintgate } from '../support/hintgate.ts'
import { peerFile } from '../support/peers.ts'
import { DESTROYS, ScriptedServer, scripted } from '../support/scripted-server.ts'
import {
  type Client,
  connect,
  dataOf,
  EVERYTHING,
  type FoundTool,
  searchUrl,
} from '../support/search-client.ts'
import { openWitness } from '../support/witness.ts'

const TOOLS = [
  scripted('get_forecast', { description: 'Returns the temperature and the weather of a place.' }),
  scripted('list_invoices', { description: 'Lists the invoices of a customer.' }),
  scripted('restart_host', { description: 'Reboots a computer.', annotations: DESTROYS }),
]
/** Nearer to the query than any other tool. */
const HIDDEN = scripted('outside_warmth', { description: 'Says how warm it is outdoors right now.' })
/** Shares no word with the tool that it means. */
const QUERY = 'how warm is it outdoors'

interface Found {
  readonly tools: readonly (FoundTool & { readonly score: number })[]
  readonly total: number
}

describe('semantic search with the real model', () => {
  let gateway: Gateway
  let agent: Client
  const search = async (client: Client, query: string): Promise<Found> =>
    dataOf<Found>(await client.call('retrieve_tools', { query }))

  beforeAll(async () => {
    const witness = await openWitness()
    const site = new Site({
      search: { semantic: true },
      mcpServers: {
        open: new ScriptedServer('open', witness, TOOLS).config,
        closed: new ScriptedServer('closed', witness, [HIDDEN]).config,
      },
    })
    symlinkSync(peerFile(''), join(site.folder, 'node_modules'))
    gateway = await startGatewayAt(site)
    await gateway.says(/search compares the meaning of 6 tools/)
    const token = await gateway.site.token({ permissions: EVERYTHING, servers: 'open' })
    agent = await connect(searchUrl(gateway), token)
  }, 60_000)
  afterAll(cleanUp)

  it('finds a tool that means the query but has none of its words', async () => {
    const { tools } = await search(agent, QUERY)
    expect(tools[0]?.id).toBe('open:get_forecast')
  })

  it('shows nothing of a nearer tool that the caller may not use', async () => {
    const found = await search(agent, QUERY)
    expect(JSON.stringify(found)).not.toContain('outside_warmth')
    const all = await connect(searchUrl(gateway), await gateway.site.token({ permissions: EVERYTHING }))
    const seen = await search(all, QUERY)
    expect(seen.tools[0]?.id).toBe('closed:outside_warmth')
    const open = seen.tools.filter(({ id }) => id.startsWith('open:')).map(({ id }) => id)
    expect(found.tools.map(({ id }) => id)).toEqual(open)
  })

  it('leaves out what a filter excludes, however near it is', async () => {
    const query = 'turn the machine off and on again'
    const ids = async (more: object): Promise<readonly string[]> =>
      dataOf<Found>(await agent.call('retrieve_tools', { query, ...more })).tools.map(({ id }) => id)
    expect(await ids({})).toContain('open:restart_host')
    expect(await ids({ exclude_destructive: true })).not.toContain('open:restart_host')
  })

  it('gives the same order for the same query', async () => {
    expect(await search(agent, QUERY)).toEqual(await search(agent, QUERY))
  })
})

it('refuses to start without the packages, and names the command that installs them', async () => {
  const site = new Site({ search: { semantic: true } })
  const { code, stderr } = await hintgate(['serve', ...site.flags, '--listen', '127.0.0.1:0'])
  expect(code).toBe(1)
  expect(stderr).toContain('npm install @energetic-ai/core@0.2.0')
})
