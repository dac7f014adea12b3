import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cleanUp, later } from '../support/clean-up.ts'
import {
  type Gateway,
  httpServer,
  Site,
  startReadyGateway,
  startStdioGateway,
  stdioServer,
} from '../support/gateway.ts'
import { LegacyClient, MODERN, ModernClient, Reply } from '../support/raw-mcp.ts'
import { StdioClient } from '../support/stdio-client.ts'
import { openWitness, type Witness } from '../support/witness.ts'

/** A definition with members of future revisions, as text, because JSON.parse would change it. */
const ODD_TOOL = `{
  "name": "odd", "title": "Ungewöhnlich 🦉", "description": "Zeile 1\\nZeile 2 \\u2028 \\"x\\" \\\\ \\ud83e\\udd89",
  "zeta": 1, "alpha": 2,
  "inputSchema": {"type": "object", "properties": {"z": {"type": "integer", "maximum": 12345678901234567890}, "a": {}}, "$defs": {"x": {"$anchor": "y"}}, "x-vendor": [null, true]},
  "outputSchema": {"type": "object"},
  "annotations": {"title": "Von Hand", "readOnlyHint": true, "futureHint": {"deep": [1, 2.5, -0.25, 1e21]}, "vendor/hint": "ja"},
  "icons": [{"src": "data:image/png;base64,AAAA", "mimeType": "image/png", "sizes": ["48x48"], "theme": "dark", "future": 1}],
  "execution": {"future": "x"},
  "_meta": {"com.example/owner": "Ada", "big": 98765432109876543210, "__proto__": {"polluted": "no"}, "constructor": "x"},
  "futureField": {"list": [[], {}, "", 0, false, null], "pi": 3.14159265358979323846264338327950288}
}`

const ODD_RESULT = `{
  "content": [
    {"type": "text", "text": "Grüße\\u0000\\u001f\\t 日本語 \\ud83d\\ude00 العربية", "annotations": {"audience": ["user"], "priority": 0.5, "lastModified": "2026-01-01"}, "_meta": {"k": 1}},
    {"type": "hologram", "planes": [{"z": 1, "data": "AAAA"}], "id": 12345678901234567890},
    {"type": "image", "data": "iVBORw0KGgo=", "mimeType": "image/png", "extra": true},
    {"type": "resource_link", "uri": "test://a?b=c#d", "name": "link", "icons": []},
    {"type": "resource", "resource": {"uri": "test://b", "text": "x", "checksum": -9007199254740993}},
    {"noType": true}, {"type": 5}
  ],
  "structuredContent": {"id": 12345678901234567890, "ids": [9007199254740993, -12345678901234567890123, 0.1234567890123456789, 1e-7], "nested": {"z": 1, "y": {"x": null}}, "": "empty key", "__proto__": 1, "toString": "x"},
  "isError": false,
  "futureFlag": [true, {"deeper": 18446744073709551615}],
  "_meta": {"com.example/cost": 0.00012, "trace": "a\\u00e4"}
}`

/** Arguments as the client writes them. */
const ODD_ARGUMENTS =
  '{"z":12345678901234567890,"a":[9007199254740993,1.00,-0.5,{"__proto__":"x","ü":"é","emoji":"🦉","empty":{}}],"nul":"\\u0000","html":"<&>"}'

/** Long numbers become strings with a mark, so that values can be compared without losing digits. */
function lossless(text: string): unknown {
  const marked = text.replaceAll(
    /("(?:[^"\\]|\\.)*")|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)/g,
    (whole, string, number) =>
      string === undefined && number.replaceAll(/\D/g, '').length > 15 ? `"number ${number}"` : whole,
  )
  return JSON.parse(marked)
}

const SERVERS = ['pipe', 'pipe2026', 'web', 'web2026']
let witness: Witness
let gateway: Gateway
let token: string
let folder: string

beforeAll(async () => {
  witness = await openWitness()
  folder = mkdtempSync(join(tmpdir(), 'hintgate-odd-'))
  later(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, 'tool.json'), oneLine(ODD_TOOL))
  writeFileSync(join(folder, 'old.json'), oneLine(ODD_RESULT))
  writeFileSync(join(folder, 'new.json'), oneLine(ODD_RESULT).replace('{', '{"resultType":"complete",'))
  const odd = (era: 'old' | 'new'): string[] => [
    ...['--odd', join(folder, 'tool.json'), '--result', join(folder, `${era}.json`)],
    ...['--era', era === 'old' ? 'legacy' : 'modern'],
  ]
  gateway = await startReadyGateway({
    mcpServers: {
      pipe: stdioServer('pipe', witness, odd('old')),
      pipe2026: stdioServer('pipe2026', witness, odd('new')),
      web: await httpServer('web', witness, odd('old')),
      web2026: await httpServer('web2026', witness, odd('new')),
    },
  })
  token = await gateway.site.token()
})
afterAll(cleanUp)

/** Both texts are single lines on the wire; strings have no raw line breaks in JSON. */
function oneLine(text: string): string {
  return text.replaceAll(/\n\s*/g, ' ')
}

type Tree = { [key: string]: unknown }
const resultIn = (text: string): Tree => (lossless(text) as { result: Tree }).result

/** The text of the answer, from a body or from the last event of a stream. */
async function answerText(reply: Reply): Promise<string> {
  await reply.closed
  if (!reply.isStream) return reply.text
  const events = reply.text.split('\n').filter(line => line.startsWith('data: {'))
  return events.at(-1)?.slice(6) ?? ''
}

const PAIRINGS = ['modern', 'legacy'].flatMap(era => SERVERS.map(server => [era, server] as const))

async function open(era: string, server: string, method: string, params: object): Promise<Reply> {
  if (era === 'modern') return new ModernClient(gateway.endpoint(server), token).open(method, { ...params })
  const client = await new LegacyClient(gateway.endpoint(server), token).initialize()
  return client.open(method, { ...params })
}

describe('text from a server is complete', () => {
  it.each(PAIRINGS)('in the definition of a tool: %s client, %s', async (era, server) => {
    const { tools } = resultIn(await answerText(await open(era, server, 'tools/list', {})))
    const list = tools as Tree[]
    const sent = lossless(ODD_TOOL) as Tree
    const got = list.at(-1) as Tree
    expect(list.map(({ name }) => name).slice(0, 3)).toEqual(['echo', 'pid', 'env'])
    expect({ ...got, annotations: undefined }).toEqual({ ...sent, annotations: undefined })
    expect(got.annotations).toMatchObject(sent.annotations as Tree)
    expect(Object.keys(got)).toEqual(Object.keys(sent))
    expect(Object.keys((got._meta as Tree) ?? {})).toContain('__proto__')
  })

  it.each(PAIRINGS)(
    'in the definition of a tool among those of all servers: %s client, %s',
    async (era, server) => {
      const reply =
        era === 'modern'
          ? new ModernClient(gateway.endpoint(), token).open('tools/list')
          : (await new LegacyClient(gateway.endpoint(), token).initialize()).open('tools/list')
      const list = resultIn(await answerText(reply)).tools as Tree[]
      const got = list.find(({ name }) => name === `${server}__odd`)
      const sent = lossless(ODD_TOOL) as Tree
      const { 'io.hintgate/effective': ours, ...meta } = (got?._meta ?? {}) as Tree
      expect(ours).toMatchObject({ call_with: expect.any(String) })
      expect({ ...got, _meta: meta, annotations: undefined, name: undefined }).toEqual({
        ...sent,
        annotations: undefined,
        name: undefined,
      })
    },
  )

  it.each(PAIRINGS)('in a result: %s client, %s', async (era, server) => {
    const got = resultIn(
      await answerText(await open(era, server, 'tools/call', { name: 'odd', arguments: {} })),
    )
    const sent = lossless(ODD_RESULT) as Tree
    const { resultType, _meta, ...rest } = got
    const { _meta: sentMeta, ...sentRest } = sent
    expect(rest).toEqual(sentRest)
    expect(JSON.stringify(rest.content)).toBe(JSON.stringify(sentRest.content))
    expect(Object.keys(rest)).toEqual(Object.keys(sentRest))
    expect(_meta).toMatchObject(sentMeta as Tree)
    expect(resultType).toBe(era === 'modern' ? 'complete' : undefined)
    const added = Object.keys(_meta as Tree).filter(key => !(key in (sentMeta as Tree)))
    // Only these may be added: for a modern client the server info, if the server left it out, and Hintgate's own
    // remarks.
    const speaker = era === 'modern' ? ['io.modelcontextprotocol/serverInfo'] : []
    const mayBeAdded = new Set([...speaker, 'io.hintgate/taint'])
    expect(added.filter(key => !mayBeAdded.has(key))).toEqual([])
  })

  it('in a result, for a client on a pipe', async () => {
    const site = new Site({
      mcpServers: {
        s: stdioServer('own', witness, [
          '--odd',
          join(folder, 'tool.json'),
          '--result',
          join(folder, 'old.json'),
        ]),
      },
    })
    const running = startStdioGateway(site, ['--server', 's'])
    const client = new StdioClient(running)
    await client.initialize()
    const id = client.start('tools/call', { name: 'odd', arguments: {} })
    await client.answerTo(id)
    const line = running.stdout.items.find(text => text.includes('hologram')) ?? ''
    const { _meta, ...rest } = resultIn(line)
    const { 'io.hintgate/taint': _ours, ...meta } = _meta as Tree
    const { _meta: sentMeta, ...sent } = lossless(ODD_RESULT) as Tree
    expect([rest, meta]).toEqual([sent, sentMeta])
    await client.leave()
  })
})

describe('text from a client is complete', () => {
  const body = (era: string, id: number): string => {
    const claim =
      era === 'modern'
        ? `"io.modelcontextprotocol/protocolVersion":"${MODERN}","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{"name":"raw","version":"0","future":12345678901234567890},`
        : ''
    const meta = `"_meta":{${claim}"com.example/trace":"ä","traceparent":"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01","n":12345678901234567890}`
    return `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"echo","arguments":${ODD_ARGUMENTS},"futureParam":[1,{"b":2}],${meta}}}`
  }

  it.each(PAIRINGS)('in a call: %s client, %s', async (era, server) => {
    const legacy = await new LegacyClient(gateway.endpoint(server), token).initialize()
    const { 'mcp-session-id': session = '', 'mcp-protocol-version': version = '', ...common } = legacy.headers
    const headers =
      era === 'legacy'
        ? { ...common, 'mcp-session-id': session, 'mcp-protocol-version': version }
        : { ...common, 'mcp-protocol-version': MODERN, 'mcp-method': 'tools/call', 'mcp-name': 'echo' }
    const seenBefore = new Set(witness.of(server))
    const reply = new Reply(gateway.endpoint(server), { body: body(era, 3), headers })
    await reply.closed
    expect(reply.status).toBe(200)
    // The report of the server arrives over another channel than its answer.
    const seen = await witness.saw(
      server,
      'received',
      sighting => sighting.method === 'tools/call' && !seenBefore.has(sighting),
    )
    const got = (lossless(seen.raw ?? '{}') as { params: Tree }).params
    const sent = (lossless(body('legacy', 3)) as { params: Tree }).params
    expect(got.arguments).toEqual(sent.arguments)
    expect(JSON.stringify(got.arguments)).toBe(JSON.stringify(sent.arguments))
    expect(got.futureParam).toEqual(sent.futureParam)
    expect(got.name).toBe('echo')
    expect(got._meta).toMatchObject(sent._meta as Tree)
    const own = Object.keys(got._meta as Tree).filter(key => key.startsWith('io.modelcontextprotocol/'))
    expect(own.length > 0).toBe(server.endsWith('2026'))
  })

  it.each(SERVERS)('in numbers with more digits than a double: %s', async server => {
    const client = await new LegacyClient(gateway.endpoint(server), token).initialize()
    const huge =
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"huge":1e400,"tiny":-1E-999,"zero":-0.0}}}'
    const before = witness.of(server).length
    await new Reply(client.url, { body: huge, headers: client.headers }).closed
    const seen = witness
      .of(server)
      .slice(before)
      .find(({ method }) => method === 'tools/call')
    expect(seen?.raw).toMatch(/"huge":1e400/i)
  })
})

describe('other messages are forwarded unchanged', () => {
  it.each(['pipe', 'web'])('questions of the server and the answers to them: %s', async server => {
    const client = await new LegacyClient(gateway.endpoint(server), token).initialize({
      capabilities: { sampling: {}, elicitation: {} },
    })
    const asked = { messages: [], maxTokens: 5, futureField: { a: [1, 'ü'] }, _meta: { 'com.example/x': 1 } }
    const reply = client.openCall('ask', { method: 'sampling/createMessage', params: asked })
    const question = await reply.until('sampling/createMessage')
    expect(question.params).toEqual(asked)
    const answer = { role: 'assistant', content: { type: 'hologram', x: 'é' }, model: 'm', future: [null] }
    await client.respond(question.id ?? '', answer)
    const text = JSON.parse(await answerText(reply)) as { result: { content: { text: string }[] } }
    expect(JSON.parse(text.result.content[0]?.text ?? '')).toEqual(answer)
  })

  it.each(SERVERS)('progress with unknown fields: %s', async server => {
    const client = new ModernClient(gateway.endpoint(server), token)
    const reply = client.open(
      'tools/call',
      { name: 'progress', arguments: { name: 'ü', steps: 1 } },
      {
        meta: { progressToken: 'x' },
      },
    )
    const { params } = await reply.until('notifications/progress')
    expect(params).toEqual({ progressToken: 'x', progress: 1, total: 1, message: 'ü 1' })
  })
})
