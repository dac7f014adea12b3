import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { adminWith } from '../support/admin.ts'
import { cleanUp } from '../support/clean-up.ts'
import { type Gateway, startReadyGateway } from '../support/gateway.ts'
import { hintgate } from '../support/hintgate.ts'
import type { Json } from '../support/raw-mcp.ts'
import { DESTROYS, READS, ScriptedServer, scripted, WRITES } from '../support/scripted-server.ts'
import { type Client, connect, EVERYTHING, idsOf, retrieve, searchUrl } from '../support/search-client.ts'
import { openWitness } from '../support/witness.ts'

const TOOLS = [
  scripted('drop_table', {
    description: 'Destructive database tool: drops a table, found in results. Not a read-only tool.',
    annotations: DESTROYS,
  }),
  scripted('query_table', { description: 'Query a table of the database.', annotations: READS }),
  scripted('insert_row', { description: 'Insert a row into the database.', annotations: WRITES }),
  scripted('read_file', { description: 'Read a file.', annotations: READS }),
  scripted('replace_file', { description: 'Read a file and replace it.', annotations: DESTROYS }),
  scripted('find_reports', {
    description: 'Find reports about destructive tests.',
    annotations: DESTROYS,
  }),
]

let gateway: Gateway
let client: Client

beforeAll(async () => {
  const witness = await openWitness()
  const server = new ScriptedServer('db', witness, TOOLS)
  gateway = await startReadyGateway({ mcpServers: { db: server.config } })
  client = await connect(searchUrl(gateway), await gateway.site.token({ permissions: EVERYTHING }))
})
afterAll(cleanUp)

describe('a filter in the words of a query', () => {
  it('keeps only read-only tools, ranked by the other words, and is reported', async () => {
    const found = await retrieve(client, 'find read-only database tools')
    expect(idsOf(found)[0]).toBe('db:query_table')
    expect(found.tools.every(tool => tool.call_with === 'call_tool_read')).toBe(true)
    expect(found).toMatchObject({
      query: 'find read-only database tools',
      understood: { read_only: 'read-only tools' },
      hint: expect.stringContaining('read_only ("read-only tools")'),
    })
    expect(found.hidden?.filtered).toBeGreaterThan(0)
  })

  it.each(['exclude destructive tools', 'exclude destructive tools from results'])(
    'leaves out destructive tools: %s',
    async query => {
      const found = await retrieve(client, query)
      expect(idsOf(found)).toEqual(['db:echo', 'db:insert_row', 'db:query_table', 'db:read_file'])
      expect(found).toMatchObject({ understood: { exclude_destructive: query }, hidden: { filtered: 3 } })
    },
  )

  it('is undone by an explicit false, and by quotes', async () => {
    for (const [query, more] of [
      ['read-only database tools', { read_only: false }],
      ['"read-only" database tools', {}],
    ] as const) {
      const found = await retrieve(client, query, more)
      expect(idsOf(found)).toContain('db:drop_table')
      expect(found).not.toHaveProperty('understood')
    }
  })

  it.each([
    ['read a file', 'db:replace_file'],
    ['find destructive-test reports', 'db:find_reports'],
    ['drop a destructive table', 'db:drop_table'],
  ])('is not read into "%s"', async (query, id) => {
    const found = await retrieve(client, query)
    expect(idsOf(found)).toContain(id)
    expect(found).not.toHaveProperty('understood')
    expect(found.hidden).toBeUndefined()
  })

  it('counts for hintgate tools search and the admin API, too', async () => {
    const args = ['tools', 'search', 'find', 'read-only', 'database', 'tools', ...gateway.site.flags]
    const { stdout } = await hintgate(args)
    expect(stdout).toContain('db:query_table')
    expect(stdout).not.toContain('db:drop_table')
    expect(stdout).toContain('These words of the query were read as filters: read_only')
    const json = JSON.parse((await hintgate([...args, '--json'])).stdout) as Json
    expect(json.understood).toEqual({ read_only: 'read-only tools' })
    const admin = await adminWith(gateway, 'admin')
    expect(await admin.searchTools({ query: { query: 'exclude destructive tools' } })).toMatchObject({
      total: 4,
      understood: { exclude_destructive: 'exclude destructive tools' },
    })
    const plain = await admin.searchTools({
      query: { query: 'exclude destructive tools', excludeDestructive: false },
    })
    expect(plain.understood).toBeUndefined()
  })
})
