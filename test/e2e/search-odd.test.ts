import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cleanUp } from '../support/clean-up.ts'
import { type Gateway, httpServer, startGateway, startReadyGateway, stdioServer } from '../support/gateway.ts'
import { type Json, textOf } from '../support/raw-mcp.ts'
import { readWhole } from '../support/read-whole.ts'
import { ScriptedServer, scripted } from '../support/scripted-server.ts'
import {
  connect,
  dataOf,
  EVERYTHING,
  idsOf,
  markOf,
  refusal,
  retrieve,
  searchUrl,
} from '../support/search-client.ts'
import { startWatch } from '../support/stopwatch.ts'
import { openWitness, type Witness } from '../support/witness.ts'

let witness: Witness

beforeAll(async () => {
  witness = await openWitness()
})
afterAll(cleanUp)

const open = async (gateway: Gateway) =>
  connect(searchUrl(gateway), await gateway.site.token({ permissions: EVERYTHING }))

describe('servers that are not ready', () => {
  it('do not delay finding and calling tools of other servers', async () => {
    const gateway = await startGateway({
      mcpServers: {
        good: stdioServer('good', witness),
        silent: stdioServer('silent', witness, ['--start', 'silent']),
        broken: stdioServer('broken', witness, ['--start', 'exit']),
        missing: { command: '/nowhere/none' },
      },
    })
    const client = await open(gateway)
    const passed = startWatch(gateway.pid)
    expect(idsOf(await retrieve(client, 'echo'))).toEqual(['good:echo'])
    expect(passed()).toBeLessThan(10_000)
    // After one wait, later searches do not wait again.
    const passedAgain = startWatch(gateway.pid)
    expect(idsOf(await retrieve(client, 'echo'))).toEqual(['good:echo'])
    expect(textOf(await client.call('call_tool_read', { name: 'good:echo', args: { a: 1 } }))).toBe('{"a":1}')
    expect(passedAgain()).toBeLessThan(1500)
    const { code } = refusal(await client.call('call_tool_read', { name: 'missing:echo' }))
    expect(code).toBe('upstream_unavailable')
    const calls = [{ name: 'missing:echo' }, { name: 'good:echo' }]
    const batch = dataOf<{ results: Json[] }>(await client.call('call_tools_read', { calls }))
    expect(batch.results).toMatchObject([
      { ok: false, error: { code: 'upstream_unavailable' } },
      { ok: true },
    ])
    await gateway.stop()
  })

  it('are found although they start only when needed', async () => {
    const lazy = new ScriptedServer('lazy', witness, [scripted('milk_goat')], { more: { lazy: true } })
    const gateway = await startGateway({ mcpServers: { lazy: lazy.config } })
    const client = await open(gateway)
    expect(idsOf(await retrieve(client, 'goat'))).toEqual(['lazy:milk_goat'])
    await gateway.stop()
  })
})

describe('tools with unusual names and long texts', () => {
  const NAMES = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'a.b/c-d', 'x:y', 'UPPER', 'upper']

  it('are found, described and called like others', async () => {
    const server = new ScriptedServer('odd', witness, [
      ...NAMES.map(name => scripted(name, { description: 'An odd tool.' })),
      scripted('long', { description: `An odd tool. ${'wordy '.repeat(40_000)}` }),
      scripted('wide', {
        description: 'An odd tool.',
        inputSchema: {
          type: 'object',
          properties: Object.fromEntries(
            Array.from({ length: 2000 }, (_, n) => [`p${n}`, { type: 'string' }]),
          ),
        },
      }),
    ])
    const gateway = await startReadyGateway({ mcpServers: { odd: server.config } })
    const client = await open(gateway)
    const found = await retrieve(client, 'odd tool', { limit: 50 })
    const ids = [...NAMES, 'long', 'wide'].map(name => `odd:${name}`)
    expect(new Set(idsOf(found))).toEqual(new Set([...ids, 'odd:echo']))
    for (const { id, signature, description } of found.tools) {
      expect(signature.length, id).toBeLessThanOrEqual(500)
      expect(description.length, id).toBeLessThanOrEqual(300)
    }
    for (const name of NAMES) {
      expect(dataOf(await client.call('describe_tool', { name: `odd:${name}` })).name).toBe(name)
      const answer = await client.call('call_tool_read', { name: `odd:${name}`, args: { n: 1 } })
      expect(JSON.parse(textOf(answer))).toMatchObject({ tool: name, arguments: { n: 1 } })
    }
    await gateway.stop()
  })
})

describe('a call over the search surface', () => {
  it('sends the headers that a modern server requires, even if its caller does not', async () => {
    const web = await httpServer('web', witness, ['--era', 'modern'])
    const gateway = await startReadyGateway({ mcpServers: { web } })
    const client = await open(gateway)
    const args = { region: 'zürich' }
    expect(textOf(await client.call('call_tool_destructive', { name: 'web:destroy', args }))).toBe(
      'destroyed',
    )
    const { headers } = await witness.saw('web', 'received', ({ raw }) => raw?.includes('"destroy"') ?? false)
    expect(headers).toMatchObject({ 'mcp-name': 'destroy', 'mcp-param-region': expect.stringMatching(/./) })
    await gateway.stop()
  })

  it('passes only the arguments to the server, without intent or variant', async () => {
    const gateway = await startReadyGateway({ mcpServers: { s: stdioServer('plain', witness) } })
    const intent = { operation_type: 'read', data_sensitivity: 'private', reason: 'for my eyes only' }
    await (await open(gateway)).call('call_tool_read', { name: 's:echo', args: { a: 1 }, intent })
    const { raw } = await witness.saw('plain', 'received', sighting => sighting.method === 'tools/call')
    expect(JSON.parse(raw ?? '')).toMatchObject({ params: { name: 'echo', arguments: { a: 1 } } })
    for (const word of ['intent', 'my eyes', 'call_tool_read', 'hg_agent_']) expect(raw).not.toContain(word)
    await gateway.stop()
  })

  it('keeps its notes on a result that is cut', async () => {
    const content = [{ type: 'text', text: 'word '.repeat(5000) }]
    const server = new ScriptedServer('long', witness, [scripted('long', {}, { result: { content } })])
    const gateway = await startReadyGateway({ mcpServers: { long: server.config }, limits: { answer: 4000 } })
    const client = await open(gateway)
    const first = await client.call('call_tool_write', { name: 'long:long' })
    expect(first.result?._meta).toMatchObject({ 'io.hintgate/notes': [expect.stringContaining('long:long')] })
    expect((await readWhole(client, markOf(first).handle)).whole).toMatchObject({ content })
    await gateway.stop()
  })
})
