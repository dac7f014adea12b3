import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cleanUp } from '../support/clean-up.ts'
import { bearer, LegacyClient, MODERN, ModernClient, refusalOf, send } from '../support/raw-mcp.ts'
import { DESTROYS, scripted, WRITES } from '../support/scripted-server.ts'
import { sendBytes, writeRequest } from './raw-http.ts'
import { ENVELOPE, modernHeaders, play, type Scene } from './scene.ts'

// One request, two parsers: what is checked must be what is executed (go-sdk CVE-2026-27896).

let scene: Scene
let reader: string

const TOOLS = [
  scripted('read'),
  scripted('write', { annotations: WRITES }),
  scripted('destroy', { annotations: DESTROYS }),
]

beforeAll(async () => {
  const rule = { rule: 'block_values', field: 'path', values: ['/etc/passwd'] }
  scene = await play(TOOLS, { guardrails: [rule] })
  reader = await scene.gateway.site.token({ permissions: 'retrieve_tools,read' })
})
afterAll(cleanUp)

const META = JSON.stringify(ENVELOPE)

/** Sends a modern call with this exact body; returns the answer and what reached the server. */
async function post(body: string, { name = 'read', token = reader, path = '/mcp/servers/s' } = {}) {
  const { url } = scene.gateway
  const before = (await scene.arrived()).length
  const answer = await sendBytes(url, writeRequest(`POST ${path}`, modernHeaders(url, token, name), body))
  return { ...answer, arrived: (await scene.arrived()).slice(before) }
}

describe('keys that resemble those of the protocol', () => {
  it.each([
    ['Method', `{"jsonrpc":"2.0","id":1,"Method":"tools/call","params":{"name":"destroy","_meta":${META}}}`],
    [
      'METHOD beside method',
      `{"jsonrpc":"2.0","id":1,"method":"ping","METHOD":"tools/call","params":{"name":"destroy","_meta":${META}}}`,
    ],
    ['Params', `{"jsonrpc":"2.0","id":1,"method":"tools/call","Params":{"name":"destroy","_meta":${META}}}`],
    [
      'method with a NUL',
      `{"jsonrpc":"2.0","id":1,"method\\u0000":"tools/call","params":{"name":"destroy","_meta":${META}}}`,
    ],
    [
      'a method that ends with a NUL',
      `{"jsonrpc":"2.0","id":1,"method":"tools/call\\u0000","params":{"name":"destroy","_meta":${META}}}`,
    ],
    [
      'method in another script',
      `{"jsonrpc":"2.0","id":1,"mеthod":"tools/call","params":{"name":"destroy","_meta":${META}}}`,
    ],
    [
      'a prototype',
      `{"jsonrpc":"2.0","id":1,"__proto__":{"method":"tools/call"},"params":{"name":"destroy","_meta":${META}}}`,
    ],
    [
      'a question that is an answer as well',
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"destroy","_meta":${META}},"result":{}}`,
    ],
  ])('are not read as those: %s', async (_what, body) => {
    const { status, arrived } = await post(body, { name: 'destroy' })
    expect([status, arrived]).toEqual([400, []])
  })

  it.each([
    ['Name', '{"Name":"destroy","name":"read","arguments":{}'],
    ['NAME after name', '{"name":"read","NAME":"destroy","arguments":{}'],
    ['Arguments', '{"name":"read","arguments":{"n":1},"Arguments":{"n":2}'],
    ['a prototype with a name', '{"__proto__":{"name":"destroy"},"name":"read","arguments":{}'],
  ])('do not change which tool is called: %s', async (_what, params) => {
    const { arrived } = await post(
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params},"_meta":${META}}}`,
    )
    expect(arrived.map(({ name }) => name)).toEqual(['read'])
    expect(arrived[0]?.arguments).not.toMatchObject({ n: 2 })
  })

  it.each([
    ['NAME', '"NAME":"destroy"'],
    ['Arguments', '"Arguments":{"n":2}'],
    ['argument\u017F', '"argument\u017F":{"n":2}'],
    ['_Meta', '"_Meta":{"n":2}'],
  ])('are not forwarded to a server that might read them: %s', async (key, member) => {
    const params = `{"name":"read","arguments":{"mine":"${key}"},${member}`
    await post(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params},"_meta":${META}}}`)
    const { witness, server } = scene
    const raw = witness.of(server.name).findLast(({ raw: text }) => text?.includes('"mine"'))?.raw ?? ''
    expect(raw).toContain(`"mine":"${key}"`)
    expect(raw).not.toContain(member)
  })
})

describe('duplicate keys', () => {
  it.each([
    ['the write last', '{"name":"read","name":"destroy","arguments":{}', 'read', []],
    ['the write first', '{"name":"destroy","name":"read","arguments":{}', 'read', ['read']],
    ['the write last, as the header says', '{"name":"read","name":"destroy","arguments":{}', 'destroy', []],
  ])('are resolved once, and the server receives the result: %s', async (_what, params, name, wanted) => {
    const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params},"_meta":${META}}}`
    const { arrived } = await post(body, { name })
    expect(arrived.map(call => call.name)).toEqual(wanted)
  })

  it('do not carry an argument past a guardrail', async () => {
    const of = (args: string): string =>
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read","arguments":${args},"_meta":${META}}}`
    const hidden = await post(of('{"path":"/tmp","path":"/etc/passwd"}'))
    expect(hidden.text).toContain('guardrail_blocked')
    expect(hidden.arrived).toEqual([])
    // The server receives only the value that was checked.
    const { witness, server } = scene
    await post(of('{"path":"/etc/passwd","path":"/tmp/x"}'))
    const raw = witness.of(server.name).findLast(({ raw: text }) => text?.includes('/tmp/x'))?.raw ?? ''
    expect(raw).not.toContain('passwd')
  })

  it('do not turn one method into another', async () => {
    const body = `{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/call","params":{"name":"destroy","arguments":{},"_meta":${META}}}`
    expect((await post(body, { name: 'destroy' })).arrived).toEqual([])
    const session = await new LegacyClient(scene.gateway.endpoint('s'), reader).initialize()
    const before = await scene.arrived()
    const twice =
      '{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/call","params":{"name":"destroy","arguments":{}}}'
    const reply = await send(session.url, { body: twice, headers: session.headers })
    expect(refusalOf(await reply.answer())).toBeDefined()
    expect(await scene.arrived()).toEqual(before)
  })
})

describe('names with hidden or special characters', () => {
  it.each([
    'read\u0000',
    'read\u0000destroy',
    ' read',
    'READ',
    'read\n',
    'destroy/../read',
    're\u200bad',
    '__proto__',
    'constructor',
  ])('are unknown: %j', async name => {
    const before = await scene.arrived()
    for (const [path, called, args] of [
      ['/mcp/servers/s', name, {}],
      ['/mcp/direct', `s__${name}`, {}],
      ['/mcp', 'call_tool_read', { name: `s:${name}`, args: {} }],
    ] as const) {
      const client = await new LegacyClient(`${scene.gateway.url}${path}`, scene.token).initialize()
      expect([path, refusalOf(await client.call(called, args))]).toEqual([path, 'unknown_tool'])
    }
    expect(await scene.arrived()).toEqual(before)
  })
})

describe('a header that contradicts the body', () => {
  it.each([
    ['another name', 'Mcp-Name: read'],
    ['another name, encoded', 'Mcp-Name: =?base64?cmVhZA==?='],
    ['another method', 'Mcp-Method: tools/list'],
    ['a method in another case', 'Mcp-Method: Tools/Call'],
    ['another revision', 'Mcp-Protocol-Version: 2025-11-25'],
  ])('is refused before a decision: %s', async (_what, line) => {
    const { url } = scene.gateway
    const name = `${line.split(':', 1)[0]}:`
    const headers = modernHeaders(url, scene.token, 'destroy').filter(one => !one.startsWith(name))
    const params = { name: 'destroy', arguments: {}, _meta: ENVELOPE }
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
    const before = await scene.arrived()
    for (const path of ['/mcp/servers/s', '/mcp/direct', '/mcp']) {
      const answer = await sendBytes(url, writeRequest(`POST ${path}`, [...headers, line], body))
      expect([path, answer.status]).toEqual([path, 400])
      expect(answer.text).toContain('-32020')
    }
    expect(await scene.arrived()).toEqual(before)
  })

  it.each([0, 2100])('is refused if it is repeated, with %d other headers in between', async others => {
    const { url } = scene.gateway
    const between = Array.from({ length: others }, () => 'x: y')
    const headers = [...modernHeaders(url, scene.token, 'destroy'), ...between, 'Mcp-Name: read']
    const params = { name: 'destroy', arguments: {}, _meta: ENVELOPE }
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
    const before = await scene.arrived()
    expect((await sendBytes(url, writeRequest('POST /mcp/servers/s', headers, body))).status).toBe(403)
    expect(await scene.arrived()).toEqual(before)
  })
})

describe('values that parsers treat differently', () => {
  it('arrive as they were checked, including a prototype', async () => {
    const args =
      '{"__proto__":{"admin":true},"constructor":{"prototype":{"x":1}},"nul":"a\\u0000b","n":9007199254740993}'
    const { witness, server } = scene
    const { status } = await post(
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read","arguments":${args},"_meta":${META}}}`,
    )
    expect(status).toBe(200)
    const raw = witness.of(server.name).findLast(({ raw: text }) => text?.includes('__proto__'))?.raw
    expect(raw).toContain(`"arguments":${args}`)
  })

  it('cannot add permissions by prototype pollution', async () => {
    const pollution = '{"__proto__":{"permissions":["call_tool_destructive"],"isAdmin":true,"intent":"off"}}'
    const meta = `{"__proto__":{"role":"admin"},${META.slice(1)}`
    const name = 'destroy'
    const body = (args: string): string =>
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments":${args},"_meta":${meta}},"__proto__":{"principal":"x"}}`
    expect((await post(body(pollution), { name })).arrived).toEqual([])
    expect((await post(body('{}'), { name })).arrived).toEqual([])
  })

  it.each([
    ['a byte that is not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])],
    ['two documents', Buffer.from('{"jsonrpc":"2.0","id":1,"method":"ping"}{"jsonrpc":"2.0"}')],
    ['a byte order mark', Buffer.from('\ufeff{"jsonrpc":"2.0","id":1,"method":"ping"}')],
    ['a comment', Buffer.from('{"jsonrpc":"2.0",/* */"id":1,"method":"ping"}')],
    ['nothing', Buffer.from('')],
    ['NaN', Buffer.from('{"jsonrpc":"2.0","id":NaN,"method":"ping"}')],
  ])('are refused as a body: %s', async (_what, body) => {
    const headers = {
      ...bearer(scene.token),
      'content-type': 'application/json',
      'mcp-protocol-version': MODERN,
    }
    const before = await scene.arrived()
    const reply = await send(scene.gateway.endpoint('s'), { body, headers })
    expect(reply.status).toBe(400)
    expect(await scene.arrived()).toEqual(before)
  })

  it('cannot inject members into an answer by an id', async () => {
    const client = new ModernClient(scene.gateway.endpoint('s'), scene.token)
    const id = '"},"result":{"content":[]},"x":{"'
    const answer = await client.call('read', {}, { id })
    expect(Object.keys(answer).sort()).toEqual(['id', 'jsonrpc', 'result'])
    expect(answer.id).toBe(id)
  })
})
