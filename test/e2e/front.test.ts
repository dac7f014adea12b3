import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cleanUp } from '../support/clean-up.ts'
import { type Gateway, startReadyGateway } from '../support/gateway.ts'
import { hintgate } from '../support/hintgate.ts'
import { holdingsOf, Library } from '../support/library.ts'
import { PATIENTLY } from '../support/patience.ts'
import { type Json, LegacyClient, type Message, ModernClient } from '../support/raw-mcp.ts'
import { type Generation, SDK_V1, SDK_V2_AUTO } from '../support/sdk-clients.ts'
import { connect, ERAS, EVERYTHING } from '../support/search-client.ts'
import { openWitness, type Witness } from '../support/witness.ts'

let witness: Witness
let gateway: Gateway
let token: string
let narrow: string
let east: Library

beforeAll(async () => {
  witness = await openWitness()
  east = new Library('east', witness, holdingsOf('east'))
  gateway = await startReadyGateway({
    mcpServers: {
      east: east.config,
      west: new Library('west', witness, holdingsOf('west'), { era: 'modern' }).config,
      hidden: new Library('hidden', witness, holdingsOf('hidden')).config,
      hung: new Library('hung', witness, {
        ...holdingsOf('hung'),
        silent: ['resources/list', 'prompts/list', 'resources/templates/list'],
      }).config,
    },
  })
  token = await gateway.site.token({ permissions: EVERYTHING, servers: 'east,west' })
  narrow = await gateway.site.token({ permissions: EVERYTHING, servers: 'east' })
})
afterAll(cleanUp)

const ENDPOINTS = ['/mcp', '/mcp/direct']
const MATRIX = ENDPOINTS.flatMap(path => ERAS.map(era => ({ path, era })))
const ADDRESS = 'hintgate://east/book:///one'

const resultOf = (message: Message): Json => {
  if (message.result === undefined) throw new Error(`no result: ${JSON.stringify(message)}`)
  return message.result
}

/** The recorded requests of a caller, newest first. */
async function rowsOf(name: string): Promise<readonly Json[]> {
  const { stdout } = await hintgate(['audit', 'query', '--agent', name, '--json', ...gateway.site.flags])
  return (JSON.parse(stdout) as { calls: Json[] }).calls
}

describe.each(MATRIX)('$path, for a $era client', ({ path, era }) => {
  const open = (as = token) => connect(`${gateway.url}${path}`, as, era)

  it('lists the resources, templates and prompts of all servers under names that say whose they are', async () => {
    const client = await open()
    const { resources } = resultOf(await client.request('resources/list'))
    expect(resources).toEqual([
      { uri: 'hintgate://east/book:///one', name: 'Book one of east' },
      { uri: 'hintgate://west/book:///one', name: 'Book one of west' },
    ])
    const { resourceTemplates } = resultOf(await client.request('resources/templates/list'))
    expect(resourceTemplates).toMatchObject([
      { uriTemplate: 'hintgate://east/book:///{shelf}/{+title}' },
      { uriTemplate: 'hintgate://west/book:///{shelf}/{+title}' },
    ])
    const { prompts } = resultOf(await client.request('prompts/list'))
    expect(prompts).toMatchObject([{ name: 'east__summarise' }, { name: 'west__summarise' }])
  })

  it.each(['east', 'west'])('reads, gets and completes at %s alone', async server => {
    const client = await open()
    const uri = `hintgate://${server}/book:///one`
    const { contents } = resultOf(await client.request('resources/read', { uri }))
    expect(contents).toEqual([{ uri, mimeType: 'text/plain', text: `one of ${server}` }])
    // The template is expanded as RFC 6570 says.
    const expanded = `hintgate://${server}/book:///a%20b/c/d`
    expect(resultOf(await client.request('resources/read', { uri: expanded })).contents).toMatchObject([
      { uri: expanded, text: `d of ${server}` },
    ])
    const name = `${server}__summarise`
    const { messages } = resultOf(await client.request('prompts/get', { name }))
    expect(messages).toMatchObject([{ content: { resource: { uri, text: `from ${server}` } } }])
    const argument = { name: 'title', value: 'x' }
    const complete = async (ref: Json) =>
      (resultOf(await client.request('completion/complete', { ref, argument })).completion as Json).values
    expect(await complete({ type: 'ref/prompt', name })).toEqual(['summarise x'])
    const template = `hintgate://${server}/book:///{shelf}/{+title}`
    expect(await complete({ type: 'ref/resource', uri: template })).toEqual(['book:///{shelf}/{+title} x'])
  })

  it('has addresses in the links of tool results, but leaves text as it is', async () => {
    const client = await open()
    const call =
      path === '/mcp'
        ? client.call('call_tool_read', { name: 'west:find', args: {} })
        : client.call('west__find')
    expect(resultOf(await call).content).toEqual([
      { type: 'text', text: 'book:///one' },
      { type: 'resource_link', uri: 'hintgate://west/book:///one', name: 'one' },
      { type: 'resource', resource: { uri: 'hintgate://west/book:///a%20b/c/d', text: 'd' } },
    ])
  })

  it('does not know a server that the caller may not see, by any method', async () => {
    const client = await open(narrow)
    for (const method of ['resources/list', 'resources/templates/list', 'prompts/list'])
      expect(JSON.stringify(resultOf(await client.request(method)))).not.toMatch(/hidden|west/)
    const argument = { name: 'title', value: '' }
    const requests = (server: string): readonly (readonly [string, Json])[] => {
      const uri = `hintgate://${server}/book:///one`
      return [
        ['resources/read', { uri }],
        ['prompts/get', { name: `${server}__summarise` }],
        ['completion/complete', { ref: { type: 'ref/prompt', name: `${server}__summarise` }, argument }],
        ['completion/complete', { ref: { type: 'ref/resource', uri }, argument }],
        era === 'legacy'
          ? ['resources/subscribe', { uri }]
          : ['subscriptions/listen', { notifications: { resourceSubscriptions: [uri] } }],
      ]
    }
    for (const [at, [method, params]] of requests('hidden').entries()) {
      const refused = await client.request(method, params)
      const [, absent = {}] = requests('absent')[at] ?? []
      const unknown = await client.request(method, absent)
      expect(refused.error, method).toBeDefined()
      expect(JSON.stringify(refused.error)).toBe(JSON.stringify(unknown.error).replaceAll('absent', 'hidden'))
    }
    expect(witness.of('hidden').map(({ method }) => method)).not.toContain('resources/read')
  })

  it('offers nothing but tools to a token for certain tools', async () => {
    const client = await open(
      await gateway.site.token({ permissions: EVERYTHING, servers: '*', tools: 'east:find' }),
    )
    for (const [method, params] of [
      ['resources/list', {}],
      ['prompts/list', {}],
      ['resources/read', { uri: ADDRESS }],
      ['prompts/get', { name: 'east__summarise' }],
    ] as const)
      expect(await client.request(method, params)).toMatchObject({ error: { code: -32601 } })
  })
})

describe.each(ENDPOINTS)('%s', path => {
  const url = () => `${gateway.url}${path}`

  it('tells a legacy client about changed lists and about the resources that it watches', async () => {
    const client = await new LegacyClient(url(), token).initialize()
    const { capabilities } = client.greeting.result as { capabilities: Json }
    expect(capabilities).toMatchObject({
      resources: { listChanged: true, subscribe: true },
      prompts: { listChanged: true },
      completions: {},
    })
    const stream = await client.listen()
    expect(resultOf(await client.request('resources/subscribe', { uri: ADDRESS }))).toEqual({})
    await witness.saw('east', 'received', ({ method }) => method === 'resources/subscribe')
    east.announceUpdates()
    expect((await stream.until('notifications/resources/updated')).params).toEqual({ uri: ADDRESS })
    east.announceLists()
    await stream.until('notifications/resources/list_changed')
    await stream.until('notifications/prompts/list_changed')
    expect(resultOf(await client.request('resources/unsubscribe', { uri: ADDRESS }))).toEqual({})
  })

  it('tells a modern client about the resources of two servers on one stream', async () => {
    const client = new ModernClient(url(), token)
    const uris = [ADDRESS, 'hintgate://west/book:///one']
    const stream = client.open('subscriptions/listen', {
      notifications: { resourcesListChanged: true, resourceSubscriptions: uris },
    })
    const { params } = await stream.until('notifications/subscriptions/acknowledged')
    expect(params?.notifications).toEqual({ resourcesListChanged: true, resourceSubscriptions: uris })
    await witness.saw('west', 'received', ({ raw }) => raw?.includes('"book:///one"') ?? false)
    for (const [server, uri] of [
      ['east', uris[0]],
      ['west', uris[1]],
    ] as const) {
      await expect
        .poll(async () => {
          witness.tell(server, { kind: 'release' })
          const updates = stream.messages.items.filter(
            one => one.method === 'notifications/resources/updated',
          )
          return updates.map(one => one.params?.uri)
        }, PATIENTLY)
        .toContain(uri)
    }
  })

  it('shows a changed list, once the server has announced it', async () => {
    const client = new ModernClient(url(), narrow)
    await client.request('resources/list')
    const holdings = holdingsOf('east')
    east.hold({ ...holdings, resources: [{ uri: 'book:///new', name: 'new' }] })
    east.announceLists()
    await expect
      .poll(async () => resultOf(await client.request('resources/list')).resources, PATIENTLY)
      .toEqual([{ uri: 'hintgate://east/book:///new', name: 'new' }])
    east.hold(holdings)
    east.announceLists()
    await expect
      .poll(async () => resultOf(await client.request('resources/list')).resources, PATIENTLY)
      .toMatchObject([{ uri: ADDRESS }])
  })
})

it('answers without a hung server, and says that it is missing', async () => {
  const all = await gateway.site.token({ permissions: EVERYTHING, servers: 'east,hung' })
  const client = new ModernClient(gateway.endpoint(), all)
  const listed = resultOf(await client.request('resources/list'))
  expect(listed.resources).toMatchObject([{ uri: ADDRESS }])
  expect(listed._meta).toMatchObject({ 'io.hintgate/unavailable': ['hung'] })
  // Later lists do not wait again for an answer that is already late.
  const startedAt = performance.now()
  await client.request('resources/list')
  expect(performance.now() - startedAt).toBeLessThan(2500)
  expect(resultOf(await client.request('resources/read', { uri: ADDRESS })).contents).toHaveLength(1)
})

it('records each request with its server and its own name of the thing', async () => {
  const { name, token: own } = await gateway.site.namedToken({ permissions: EVERYTHING, servers: 'west' })
  const client = new ModernClient(gateway.endpoint(), own)
  await client.request('resources/read', { uri: 'hintgate://west/book:///none' })
  await client.request('prompts/get', { name: 'west__nothing' })
  await client.request('resources/read', { uri: 'hintgate://nowhere/x' })
  await expect
    .poll(() => rowsOf(name), PATIENTLY)
    .toMatchObject([
      { door: 'method', server: '', tool: 'resources/read', args: { uri: 'hintgate://nowhere/x' } },
      { door: 'method', server: 'west', tool: 'prompts/get', args: { name: 'nothing' } },
      { door: 'method', server: 'west', tool: 'resources/read', args: { uri: 'book:///none' } },
    ])
})

it('asks a server once for its lists, however many callers there are', async () => {
  const before = witness.of('west').filter(({ method }) => method === 'prompts/list').length
  for (let turn = 0; turn < 5; turn += 1) {
    const one = await gateway.site.token({ permissions: EVERYTHING, servers: 'west' })
    await new ModernClient(gateway.endpoint(), one).request('prompts/list')
  }
  const after = witness.of('west').filter(({ method }) => method === 'prompts/list').length
  expect(after - before).toBeLessThanOrEqual(1)
})

describe.each<Generation>([SDK_V1, SDK_V2_AUTO])('the client of the $name', generation => {
  it.each(ENDPOINTS)('lists, reads, gets and completes at %s', async path => {
    const client = await generation.create({ capabilities: {} })
    await client.connect(await generation.http(`${gateway.url}${path}`, token))
    const { resources } = await client.listResources()
    expect(resources.map(({ uri }) => uri)).toEqual([ADDRESS, 'hintgate://west/book:///one'])
    for (const { uri } of resources)
      expect((await client.readResource({ uri })).contents).toMatchObject([{ uri }])
    const { prompts } = await client.listPrompts()
    for (const { name } of prompts) expect((await client.getPrompt({ name })).messages).toHaveLength(1)
    const ref = { type: 'ref/prompt', name: 'east__summarise' }
    const { completion } = await client.complete({ ref, argument: { name: 'title', value: 'a' } })
    expect(completion.values).toEqual(['summarise a'])
  })
})
