import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cleanUp } from '../support/clean-up.ts'
import { type Gateway, startReadyGateway } from '../support/gateway.ts'
import { type Json, LegacyClient, textOf } from '../support/raw-mcp.ts'
import {
  DESTROYS,
  READS,
  ScriptedServer,
  type ScriptedTool,
  scripted,
  WRITES,
} from '../support/scripted-server.ts'
import {
  type Client,
  connect,
  ERAS,
  EVERYTHING,
  idsOf,
  refusal,
  retrieve,
  searchUrl,
} from '../support/search-client.ts'
import { openWitness, type Witness } from '../support/witness.ts'

let witness: Witness
let gateway: Gateway
let client: Client

const many = (count: number, make: (index: number) => ScriptedTool): ScriptedTool[] =>
  Array.from({ length: count }, (_, index) => make(index))

/** The query's words are in the names of destructive tools; the reading tool mentions them once, late in its description. */
const REMOVERS = many(300, index =>
  scripted(`remove_pallet_${index}`, {
    description: `Remove pallet number ${index} from the warehouse. Removing a pallet is final.`,
    annotations: DESTROYS,
  }),
)
const COUNTERS = many(30, index =>
  scripted(`tally_${index}`, {
    description: `Tally number ${index}. Counts what stands in one aisle, by colour and by weight; a pallet counts once.`,
  }),
)
const MOVERS = many(10, index =>
  scripted(`shift_${index}`, {
    description: `Shift number ${index}. Takes what stands in one aisle to another; a pallet moves as a whole.`,
    annotations: { ...WRITES, idempotentHint: index < 5, openWorldHint: index % 2 === 0 },
  }),
)

const inDomain = (name: string, domain: string): ScriptedTool =>
  scripted(name, {
    description: 'Finds the invoice of a customer.',
    _meta: { 'io.hintgate/metadata': { classification: { serviceDomains: [domain] } } },
    annotations: { ...READS, openWorldHint: true },
  })

beforeAll(async () => {
  witness = await openWitness()
  const servers = [
    new ScriptedServer('warehouse', witness, [...REMOVERS, ...COUNTERS, ...MOVERS]),
    new ScriptedServer('office', witness, [
      inDomain('find_invoice_a', 'payments'),
      inDomain('find_invoice_b', 'email'),
      inDomain('find_invoice_c', 'crm'),
      scripted('read_diary', {
        description: 'Read the diary. It is long. Nobody knows why.\n\nSecond paragraph.',
      }),
    ]),
  ]
  gateway = await startReadyGateway({
    mcpServers: Object.fromEntries(servers.map(server => [server.name, server.config])),
  })
  client = await connect(searchUrl(gateway), await gateway.site.token({ permissions: EVERYTHING }))
})
afterAll(cleanUp)

const PALLET = 'remove a pallet'
const filteredOf = async (filters: Json): Promise<readonly [number, number, number]> => {
  const found = await retrieve(client, PALLET, { limit: 50, ...filters })
  return [found.tools.length, found.total, found.hidden?.filtered ?? 0]
}

describe('a search', () => {
  it('ranks matching tools first, returns eight by default, and counts all', async () => {
    const found = await retrieve(client, PALLET)
    expect(idsOf(found).every(id => id.startsWith('warehouse:remove_pallet_'))).toBe(true)
    expect([found.tools.length, found.total, found.query]).toEqual([8, 340, PALLET])
    expect(found.hidden).toBeUndefined()
    expect(found.tools[0]).toMatchObject({
      title: expect.stringMatching(/remove pallet/i),
      description: expect.stringMatching(/^Remove pallet number \d+ from the warehouse\.$/),
      annotations: DESTROYS,
      sources: { readOnlyHint: 'declared', destructiveHint: 'declared' },
      call_with: 'call_tool_destructive',
      risk_level: 3,
      category: 'delete',
      confirm: expect.stringMatching(/^(never|always)$/),
    })
  })

  it.each([1, 3, 50])('returns as many as the limit: %i', async limit => {
    expect((await retrieve(client, PALLET, { limit })).tools).toHaveLength(limit)
  })

  it('filters before the limit, so the limit is filled although the best three hundred are excluded', async () => {
    const found = await retrieve(client, PALLET, { read_only: true, limit: 20 })
    expect(found.tools).toHaveLength(20)
    expect(idsOf(found).every(id => id.startsWith('warehouse:tally_'))).toBe(true)
    expect([found.total, found.hidden]).toEqual([30, { filtered: 310 }])
  })

  it.each([
    ['read_only', { read_only: true }, [30, 30, 310]],
    ['exclude_destructive', { exclude_destructive: true }, [40, 40, 300]],
    ['exclude_open_world', { exclude_destructive: true, exclude_open_world: true }, [35, 35, 305]],
    ['idempotent', { idempotent: true }, [35, 35, 305]],
    ['category read', { category: 'read' }, [30, 30, 310]],
    ['category write', { category: 'write' }, [10, 10, 330]],
    ['category delete', { category: 'delete' }, [50, 300, 40]],
    ['servers', { servers: ['office'] }, [0, 0, 340]],
    ['all servers', { servers: ['office', 'warehouse'] }, [50, 340, 0]],
    ['filters that are false', { read_only: false, idempotent: false }, [50, 340, 0]],
    [
      'several filters together',
      { category: 'write', idempotent: true, exclude_open_world: true },
      [2, 2, 338],
    ],
  ])('%s excludes exactly what it says', async (_name, filters, counts) => {
    expect(await filteredOf(filters)).toEqual(counts)
  })

  it('without results says why and what to try', async () => {
    const none = await retrieve(client, 'xylophone zeppelin')
    expect([none.tools, none.total, none.hidden]).toEqual([[], 0, undefined])
    expect(none.hint).toMatch(/nothing matches/i)
    const filtered = await retrieve(client, 'pallet', { servers: ['office'] })
    expect([filtered.tools, filtered.total, filtered.hidden]).toEqual([[], 0, { filtered: 340 }])
    expect(filtered.hint).toMatch(/filter/i)
    const token = await gateway.site.token({ permissions: 'retrieve_tools,read', servers: 'nowhere' })
    const blind = await retrieve(await connect(searchUrl(gateway), token), 'pallet')
    expect([blind.tools, blind.total, blind.hidden]).toEqual([[], 0, undefined])
    expect(blind.hint).toMatch(/token/i)
  })

  it.each([100, 150, 300, 700, 2000])(
    'limited to %i tokens reports what did not fit and shows at least one tool',
    async max_tokens => {
      const found = await retrieve(client, PALLET, { limit: 50, max_tokens })
      expect(found.tools.length).toBeGreaterThan(0)
      expect(found.tools.length).toBeLessThan(50)
      expect(found.hint).toContain('max_tokens')
      expect(found.total).toBe(340)
    },
  )

  it('stays within max_tokens', async () => {
    for (const max_tokens of [150, 300, 301, 302, 700, 1500, 2000, 2001])
      for (const detail of ['compact', 'full']) {
        const found = await retrieve(client, PALLET, { limit: 50, detail, max_tokens })
        const tokens = JSON.stringify(found).length / 4
        // One tool is always included, because an empty answer is of no use.
        expect(found.tools.length === 1 || tokens <= max_tokens, `${tokens} of ${max_tokens}`).toBe(true)
      }
  })

  it('uses the whole token budget', async () => {
    const found = await retrieve(client, PALLET, { limit: 50, max_tokens: 2000 })
    const one = JSON.stringify(found.tools[0]).length / 4
    expect(JSON.stringify(found).length / 4).toBeGreaterThan(2000 - 2 * one)
  })

  it('in full has schemas and complete descriptions, compact has neither', async () => {
    const [brief] = (await retrieve(client, 'diary')).tools
    expect([brief?.description, brief?.inputSchema]).toEqual(['Read the diary.', undefined])
    const [full] = (await retrieve(client, 'diary', { detail: 'full' })).tools
    expect(full?.description).toContain('Second paragraph.')
    expect(full?.inputSchema).toEqual({ type: 'object' })
    expect(full?.signature).toBe('read_diary()')
  })

  it.each(['payments', 'email', 'crm'])('prefers the domain %s and still shows others', async domain => {
    const plain = await retrieve(client, 'find an invoice', { limit: 50 })
    const boosted = await retrieve(client, 'find an invoice', { limit: 50, domains: [domain] })
    expect(boosted.tools[0]?.domains).toEqual([domain])
    expect(new Set(idsOf(boosted))).toEqual(new Set(idsOf(plain)))
    expect([boosted.total, boosted.hidden]).toEqual([plain.total, undefined])
    const scoreOf = (found: typeof plain) =>
      found.tools.find(tool => tool.domains.includes(domain))?.score ?? 0
    expect(scoreOf(boosted)).toBeGreaterThan(scoreOf(plain))
  })

  it('names domains that do not exist, and shows all the same', async () => {
    const plain = await retrieve(client, 'find an invoice')
    const domains = ['emails', 'email', 'a\nb', 'travel']
    const found = await retrieve(client, 'find an invoice', { domains })
    expect(found).toMatchObject({ total: plain.total, unknown_domains: ['emails', 'a\\nb'] })
    expect(found.hint).toContain(
      'Unknown values in "domains", which had no effect: "emails" (did you mean email?), "a\\\\nb".',
    )
    expect(await retrieve(client, 'find an invoice', { domains: ['email'] })).not.toHaveProperty(
      'unknown_domains',
    )
  })

  it('finds a tool by its name', async () => {
    for (const query of ['warehouse:tally_7', 'tally_7'])
      expect(idsOf(await retrieve(client, query, { limit: 1 }))).toEqual(['warehouse:tally_7'])
  })

  it.each(ERAS)('returns identical bytes to a %s client twice, in any order of filters', async era => {
    const mine = await connect(searchUrl(gateway), client.token, era)
    const ask = async (args: Json): Promise<string> => {
      const params = { name: 'retrieve_tools', arguments: args }
      const reply =
        mine instanceof LegacyClient
          ? mine.open('tools/call', params, 5)
          : mine.open('tools/call', params, { id: 5 })
      await reply.closed
      return reply.text.replaceAll(/^id: .*$/gm, '')
    }
    const first = await ask({ query: 'pallet', limit: 50, servers: ['warehouse', 'office'] })
    expect(first).toContain('remove_pallet_')
    expect(await ask({ query: 'pallet', limit: 50, servers: ['warehouse', 'office'] })).toBe(first)
    expect(await ask({ servers: ['office', 'warehouse'], limit: 50, query: 'pallet' })).toBe(first)
  })

  it('accepts any text as a query', async () => {
    for (const query of [
      '',
      ' ',
      '"',
      '\\',
      '💥',
      'a'.repeat(2000),
      '*',
      '__proto__',
      'constructor',
      'NaN',
      "'; drop",
    ])
      expect((await retrieve(client, query)).query).toBe(query)
  })
})

describe('an unknown name', () => {
  it('is answered with the nearest names that the caller may use', async () => {
    const near = await client.call('call_tool_read', { name: 'warehouse:taly_7' })
    expect(refusal(near).code).toBe('unknown_tool')
    expect(textOf(near)).toContain('Did you mean "warehouse:tally_7"?')
    const described = await client.call('describe_tool', { name: 'office:read_dairy' })
    expect(textOf(described)).toContain('Did you mean "office:read_diary"?')
  })

  it('never reveals tools that the caller cannot use', async () => {
    const token = await gateway.site.token({ permissions: 'retrieve_tools,read', servers: 'office' })
    const stranger = await connect(searchUrl(gateway), token)
    for (const name of ['warehouse:taly_7', 'warehouse:tally_7', 'warehouse:remove_pallet_01', 'tally_7'])
      for (const tool of ['describe_tool', 'call_tool_read'])
        expect(textOf(await stranger.call(tool, { name }))).not.toMatch(/did you mean/i)
    const reader = await gateway.site.token({ permissions: 'retrieve_tools,read' })
    const answer = await (await connect(searchUrl(gateway), reader)).call('call_tool_read', {
      name: 'warehouse:shift_33',
    })
    expect(textOf(answer)).not.toContain('shift_3"')
  })
})
