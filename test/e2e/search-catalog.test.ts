import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cleanUp } from '../support/clean-up.ts'
import { type Gateway, type GatewayConfig, startReadyGateway, stdioServer } from '../support/gateway.ts'
import { type Json, textOf, toolNames } from '../support/raw-mcp.ts'
import { DESTROYS, READS, ScriptedServer, scripted, WRITES } from '../support/scripted-server.ts'
import {
  type Client,
  callsSeenBy,
  connect,
  dataOf,
  ERAS,
  EVERYTHING,
  idsOf,
  refusal,
  retrieve,
  searchUrl,
} from '../support/search-client.ts'
import { openWitness, type Witness } from '../support/witness.ts'

let witness: Witness

beforeAll(async () => {
  witness = await openWitness()
})
afterAll(cleanUp)

async function start(config: GatewayConfig): Promise<{ gateway: Gateway; client: Client; token: string }> {
  const gateway = await startReadyGateway(config)
  const token = await gateway.site.token({ permissions: EVERYTHING })
  return { gateway, token, client: await connect(searchUrl(gateway), token) }
}

const configOf = (...servers: readonly ScriptedServer[]): GatewayConfig => ({
  mcpServers: Object.fromEntries(servers.map(server => [server.name, server.config])),
})

describe('two servers with tools of the same name', () => {
  const NORTH = { type: 'object', properties: { north: { type: 'string' } }, required: ['north'] }
  const SOUTH = { type: 'object', properties: { south: { type: 'number' } }, required: ['south'] }

  it('are separate in schema, hints, calls and answers', async () => {
    const north = new ScriptedServer('north', witness, [
      scripted('report', { description: 'The report of the north.', inputSchema: NORTH, annotations: READS }),
      scripted('east:report', { description: 'A report with a colon in its name.', annotations: WRITES }),
    ])
    const south = new ScriptedServer('south', witness, [
      scripted('report', {
        description: 'The report of the south.',
        inputSchema: SOUTH,
        annotations: DESTROYS,
      }),
    ])
    const { gateway, client, token } = await start(configOf(north, south))

    const found = await retrieve(client, 'report', { detail: 'full' })
    const seen = found.tools.map(({ id, description, inputSchema, call_with }) => ({
      id,
      description,
      inputSchema,
      call_with,
    }))
    expect(seen).toHaveLength(3)
    expect(seen).toContainEqual({
      id: 'north:report',
      description: 'The report of the north.',
      inputSchema: NORTH,
      call_with: 'call_tool_read',
    })
    expect(seen).toContainEqual({
      id: 'south:report',
      description: 'The report of the south.',
      inputSchema: SOUTH,
      call_with: 'call_tool_destructive',
    })
    expect(idsOf(await retrieve(client, 'report', { servers: ['south'] }))).toEqual(['south:report'])
    expect(dataOf(await client.call('describe_tool', { name: 'south:report' })).inputSchema).toEqual(SOUTH)
    expect(dataOf(await client.call('describe_tool', { name: 'north:report' })).inputSchema).toEqual(NORTH)

    const said = async (variant: string, name: string, args: Json): Promise<unknown> =>
      JSON.parse(textOf(await client.call(variant, { name, args })))
    const [n, s] = [{ north: 'x' }, { south: 1 }]
    expect(await said('call_tool_read', 'north:report', n)).toEqual({
      server: 'north',
      tool: 'report',
      arguments: n,
    })
    expect(await said('call_tool_destructive', 'south:report', s)).toEqual({
      server: 'south',
      tool: 'report',
      arguments: s,
    })
    expect(await said('call_tool_write', 'north:east:report', {})).toMatchObject({
      server: 'north',
      tool: 'east:report',
    })
    // The schema and variant of the other server do not count.
    expect(refusal(await client.call('call_tool_read', { name: 'north:report', args: s })).code).toBe(
      'invalid_arguments',
    )
    expect(refusal(await client.call('call_tool_read', { name: 'south:report', args: s })).code).toBe(
      'intent_mismatch',
    )
    const direct = await connect(gateway.endpoint(), token)
    const seenBy = (server: string) =>
      callsSeenBy(server, witness, args => direct.call(`${server}__echo`, args))
    expect((await seenBy('north')).map(({ name }) => name)).toEqual(['report', 'east:report'])
    expect((await seenBy('south')).map(({ name }) => name)).toEqual(['report'])
    await gateway.stop()
  })

  it('are listed in the same order, independent of the config and the startup', async () => {
    const make = (name: string) =>
      new ScriptedServer(
        name,
        witness,
        ['open_door', 'close_door', 'paint_door'].map(tool => scripted(tool)),
      )
    const servers = ['east', 'west', 'up', 'down'].map(make)
    const answers: unknown[] = []
    for (const order of [servers, servers.toReversed()]) {
      const { gateway, client } = await start(configOf(...order))
      const found = await Promise.all(
        ['door', '', 'open the door'].map(query => retrieve(client, query, { limit: 50 })),
      )
      expect(found.map(({ total }) => total)).toEqual([12, 16, 12])
      answers.push(JSON.stringify(found))
      await gateway.stop()
    }
    expect(answers[0]).toBe(answers[1])
  })
})

describe('the search index follows', () => {
  it('a server that changes its tools', async () => {
    const shifting = new ScriptedServer('shifting', witness, [
      scripted('feed_otter', { description: 'Feeds the otter.' }),
      scripted('weigh_heron', { description: 'Weighs the heron.' }),
    ])
    const still = new ScriptedServer('still', witness, [scripted('feed_badger')])
    const { gateway, client } = await start(configOf(shifting, still))
    const find = async (query: string) => idsOf(await retrieve(client, query))
    expect(await find('otter')).toEqual(['shifting:feed_otter'])

    shifting.change([
      scripted('feed_lynx', { description: 'Feeds the lynx.' }),
      scripted('weigh_heron', { description: 'Scares the heron away.', annotations: DESTROYS }),
    ])
    await expect.poll(() => find('lynx')).toEqual(['shifting:feed_lynx'])
    expect(await find('otter')).toEqual([])
    expect(new Set(await find('feed'))).toEqual(new Set(['shifting:feed_lynx', 'still:feed_badger']))
    const [heron] = (await retrieve(client, 'heron')).tools
    expect([heron?.description, heron?.call_with]).toEqual([
      'Scares the heron away.',
      'call_tool_destructive',
    ])
    for (const tool of ['describe_tool', 'call_tool_read'])
      expect(refusal(await client.call(tool, { name: 'shifting:feed_otter' })).code).toBe('unknown_tool')
    expect(refusal(await client.call('call_tool_read', { name: 'shifting:weigh_heron' })).code).toBe(
      'intent_mismatch',
    )
    const token = await gateway.site.token({ permissions: 'retrieve_tools,read' })
    expect(idsOf(await retrieve(await connect(searchUrl(gateway), token), 'heron'))).toEqual([])

    shifting.change([])
    await expect.poll(() => find('lynx')).toEqual([])
    expect((await retrieve(client, '', { limit: 50 })).total).toBe(3)
    await gateway.stop()
  })

  it('servers added to and removed from the config', async () => {
    const kept = new ScriptedServer('kept', witness, [scripted('milk_goat')])
    const gone = new ScriptedServer('gone', witness, [scripted('milk_yak')])
    const next = new ScriptedServer('next', witness, [scripted('milk_camel')])
    const { gateway, client } = await start(configOf(kept, gone))
    const find = async () => new Set(idsOf(await retrieve(client, 'milk', { limit: 50 })))
    expect(await find()).toEqual(new Set(['kept:milk_goat', 'gone:milk_yak']))
    gateway.site.configure(configOf(kept, next))
    await expect.poll(find).toEqual(new Set(['kept:milk_goat', 'next:milk_camel']))
    expect((await retrieve(client, 'yak')).total).toBe(0)
    const answer = await client.call('describe_tool', { name: 'gone:milk_yak' })
    expect(refusal(answer).code).toBe('unknown_tool')
    expect(textOf(await client.call('call_tool_read', { name: 'next:milk_camel' }))).toContain(
      '"server":"next"',
    )
    await gateway.stop()
  })

  it('an override of hints', async () => {
    const server = new ScriptedServer('ruled', witness, [scripted('milk_goat')])
    const { gateway, client } = await start(configOf(server))
    const ways = async () =>
      (await retrieve(client, 'goat')).tools.map(tool => [tool.call_with, tool.sources.destructiveHint])
    expect(await ways()).toEqual([['call_tool_read', 'declared']])
    gateway.site.configure({
      ...configOf(server),
      overrides: { ruled: { milk_goat: { destructiveHint: true } } },
    })
    await expect.poll(ways).toEqual([['call_tool_destructive', 'override']])
    await gateway.stop()
  })
})

describe('a definition arrives intact', () => {
  /** As text, because JSON.parse would already change it. */
  const SCHEMA =
    '{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","$defs":{"node":{"type":"object","properties":{"value":{"$ref":"#/$defs/value"},"children":{"type":"array","items":{"$ref":"#/$defs/node"}}},"required":["value"],"additionalProperties":false},"value":{"oneOf":[{"type":"string","minLength":1},{"type":"integer","maximum":12345678901234567890},{"type":"null"}]}},"properties":{"tree":{"$ref":"#/$defs/node"},"labels":{"type":"object","additionalProperties":{"type":"string"}},"ü 🦉":{"const":[1,{"a":0.5}]}},"required":["tree"],"additionalProperties":false,"x-vendor":{"zeta":1,"alpha":2}}'
  const TOOL = `{"name":"plant","title":"Plant a tree","description":"Plants.","inputSchema":${SCHEMA},"outputSchema":{"type":"object"},"annotations":{"readOnlyHint":true,"openWorldHint":false},"icons":[{"src":"data:,"}],"_meta":{"com.example/owner":"Ada"},"future":{"x":[null]}}`

  let gateway: Gateway
  let token: string

  beforeAll(async () => {
    const started = await start({ mcpServers: {} })
    gateway = started.gateway
    token = started.token
    writeFileSync(join(gateway.site.folder, 'tool.json'), TOOL)
    writeFileSync(join(gateway.site.folder, 'result.json'), '{"content":[],"structuredContent":{}}')
    const odd = [
      '--odd',
      join(gateway.site.folder, 'tool.json'),
      '--result',
      join(gateway.site.folder, 'result.json'),
    ]
    gateway.site.configure({ mcpServers: { wood: stdioServer('wood', witness, odd) } })
    await gateway.says(/wood is ready/)
  })

  /** The structured content as received, without the copy in text. */
  async function bytesOf(era: (typeof ERAS)[number], tool: string, args: Json): Promise<string> {
    const client = await connect(searchUrl(gateway), token, era)
    const reply = client.openCall(tool, args)
    await reply.closed
    return reply.text.slice(reply.text.indexOf('"structuredContent"'))
  }

  it.each(ERAS)('in describe_tool and a full search, for a %s client', async era => {
    const described = await bytesOf(era, 'describe_tool', { name: 'wood:plant' })
    expect(described).toContain(SCHEMA)
    for (const part of [
      '"icons":[{"src":"data:,"}]',
      '"future":{"x":[null]}',
      '"com.example/owner":"Ada"',
      '"outputSchema":{"type":"object"}',
    ])
      expect(described).toContain(part)
    expect(await bytesOf(era, 'retrieve_tools', { query: 'plant', detail: 'full' })).toContain(SCHEMA)
    const copy = dataOf(
      await (await connect(searchUrl(gateway), token, era)).call('describe_tool', { name: 'wood:plant' }),
    )
    expect(copy).toMatchObject({
      id: 'wood:plant',
      title: 'Plant a tree',
      call_with: 'call_tool_read',
    })
    expect(copy.signature).toMatch(/^plant\(tree: .*labels\?: object/)
  })

  it('and arguments are checked against it, including recursion', async () => {
    const client = await connect(searchUrl(gateway), token)
    const call = (args: Json) => client.call('call_tool_read', { name: 'wood:plant', args })
    const tree = { value: 'a', children: [{ value: 7, children: [{ value: null }] }] }
    expect((await call({ tree, labels: { a: 'b' } })).result?.isError).not.toBe(true)
    const wrong = refusal(
      await call({ tree: { value: 'a', children: [{ value: 'b', children: [{ value: true }] }] } }),
    )
    expect([wrong.code, wrong.field]).toEqual(['invalid_arguments', 'tree.children[0].children[0].value'])
    expect(refusal(await call({ tree, labels: { a: 1 } })).field).toBe('labels.a')
  })

  it('and on the direct surface under its longer name', async () => {
    const client = await connect(gateway.endpoint(), token)
    const reply = client.open('tools/list')
    await reply.closed
    expect(toolNames(await reply.answer())).toContain('wood__plant')
    expect(reply.text).toContain(SCHEMA)
  })
})
