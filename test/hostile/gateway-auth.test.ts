import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cleanUp } from '../support/clean-up.ts'
import { type Gateway, httpServer, startReadyGateway, stdioServer } from '../support/gateway.ts'
import {
  bearer,
  LegacyClient,
  MODERN,
  ModernClient,
  type Reply,
  refusalOf,
  send,
  textOf,
  toolNames,
} from '../support/raw-mcp.ts'
import { startWatch } from '../support/stopwatch.ts'
import { openWitness, type Witness } from '../support/witness.ts'

let witness: Witness
let gateway: Gateway
let everything: string

beforeAll(async () => {
  witness = await openWitness()
  gateway = await startReadyGateway({
    mcpServers: {
      files: stdioServer('files', witness),
      // On a shared pipe no caller is asked.
      own: stdioServer('own', witness, [], { isolation: 'session' }),
      web: await httpServer('web', witness, [], { headers: { 'x-upstream-key': 'upstream-secret' } }),
      later: await httpServer('later', witness, ['--era', 'modern']),
    },
  })
  everything = await gateway.site.token()
})
afterAll(cleanUp)

const call = (id: number, name: string, args: object = {}): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } })
const modernCall = (name: string): { body: string; headers: Record<string, string> } => {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': MODERN,
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  return {
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 0,
      method: 'tools/call',
      params: { name, arguments: {}, _meta },
    }),
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': MODERN,
      'mcp-method': 'tools/call',
      'mcp-name': name,
    },
  }
}

describe('a request is refused', () => {
  const other = `hg_agent_${'A'.repeat(43)}`

  it.each([
    ['no credential', {}, false],
    ['an empty credential', { authorization: '' }, true],
    ['a scheme alone', { authorization: 'Bearer' }, true],
    ['another scheme', { authorization: 'Basic YTpi' }, true],
    ['a malformed token', { authorization: 'Bearer hg_agent_short' }, true],
    ['an unknown token', { authorization: `Bearer ${other}` }, true],
    ['two tokens in one header', { authorization: `Bearer ${other}, Bearer ${other}` }, true],
    ['a token in the query alone', {}, false],
  ])('with %s, in both eras, on every path', async (what, credential, isBad) => {
    const before = witness.sightings.length
    const query = what.includes('query') ? `?access_token=${everything}&token=${everything}` : ''
    for (const path of ['/mcp/direct', '/mcp/servers/files', '/mcp/servers/nobody', '/readyz', '/anything']) {
      const { body, headers } = modernCall('files__write')
      const requests = [
        { body, headers: { ...headers, ...credential } },
        { body: call(1, 'write'), headers: { 'content-type': 'application/json', ...credential } },
        { method: 'GET', headers: { accept: 'text/event-stream', ...credential } },
        { method: 'DELETE', headers: credential },
      ]
      for (const request of requests) {
        const reply = await send(
          `${gateway.url}${path}${query}`,
          request as ConstructorParameters<typeof Reply>[1],
        )
        expect(reply.status, `${path} ${JSON.stringify(request)}`).toBe(401)
        const challenge = String(reply.headers['www-authenticate'])
        expect(challenge).toMatch(/^Bearer/)
        // An invalid credential never counts as a missing one.
        expect(challenge.includes('error="invalid_token"')).toBe(isBad)
      }
    }
    expect(witness.sightings.length).toBe(before)
  })

  it('with a token that has a changed, missing or additional character', async () => {
    const last = everything.at(-1) === 'A' ? 'E' : 'A'
    for (const token of [`${everything.slice(0, -1)}${last}`, everything.slice(0, -1), `${everything}x`]) {
      const reply = await send(gateway.endpoint(), { method: 'GET', headers: bearer(token) })
      expect([reply.status, reply.headers['www-authenticate']]).toEqual([
        401,
        expect.stringContaining('invalid_token'),
      ])
    }
  })

  it('with a revoked token', async () => {
    const { name, token } = await gateway.site.namedToken()
    const client = new ModernClient(gateway.endpoint('files'), token)
    expect(textOf(await client.call('echo', { a: 1 }))).toBe('{"a":1}')
    await gateway.site.revoke(name)
    const before = witness.of('files').length
    const reply = client.openCall('echo')
    await reply.closed
    expect([reply.status, reply.headers['www-authenticate']]).toEqual([
      401,
      expect.stringContaining('invalid_token'),
    ])
    expect(witness.of('files').length).toBe(before)
  })

  it('with an expired token', async () => {
    const token = await gateway.site.token({ expires: '1s' })
    const passed = startWatch(gateway.pid)
    await expect
      .poll(async () => (await send(gateway.endpoint(), { method: 'DELETE', headers: bearer(token) })).status)
      .toBe(401)
    expect(passed()).toBeLessThan(5000)
  })

  it('but not a health check', async () => {
    const reply = await send(`${gateway.url}/healthz`, { method: 'GET' })
    expect([reply.status, reply.text]).toEqual([200, '{"status":"ok"}'])
    const ready = await send(`${gateway.url}/readyz`, { method: 'GET', headers: bearer(everything) })
    expect(ready.status).toBe(200)
  })
})

describe('a credential', () => {
  it.each(['web', 'later', 'files'])('of the caller never reaches the server %s', async server => {
    const direct = new ModernClient(gateway.endpoint(), everything)
    expect(textOf(await direct.call(`${server}__echo`, { a: 1 }))).toBe('{"a":1}')
    const legacy = await new LegacyClient(gateway.endpoint(server), everything).initialize()
    expect(textOf(await legacy.call('echo', { a: 2 }))).toBe('{"a":2}')
    await new ModernClient(gateway.endpoint(server), everything).call('env', {})
    const seen = JSON.stringify(witness.sightings.filter(sighting => sighting.server === server))
    expect(seen).not.toContain(everything)
    expect(seen).not.toContain(everything.slice(9))
    expect(seen).not.toContain(legacy.session)
    for (const { headers } of witness.of(server, 'request'))
      expect(headers).not.toHaveProperty('authorization')
  })

  it('for a server is sent with every request to it, and never to the caller', async () => {
    const client = await new LegacyClient(gateway.endpoint('web'), everything).initialize()
    const reply = client.openCall('echo', {})
    await reply.closed
    expect(reply.text).not.toContain('upstream-secret')
    const requests = witness.of('web', 'request')
    expect(requests.length).toBeGreaterThan(2)
    for (const { headers } of requests) expect(headers?.['x-upstream-key']).toBe('upstream-secret')
  })

  it('does not appear in the output of the gateway', () => {
    const written = [...gateway.stderr.items, ...gateway.stdout.items].join('\n')
    expect(written).not.toContain(everything.slice(9))
    expect(written).not.toContain('upstream-secret')
  })
})

describe('a token that may use certain tools only', () => {
  const narrow = () => gateway.site.token({ servers: 'later,web', tools: 'echo' })
  const uri = 'test://one'

  it('does not see resources and cannot subscribe to them', async () => {
    const token = await narrow()
    const legacy = new LegacyClient(gateway.endpoint('web'), token)
    await legacy.initialize()
    expect((await legacy.request('resources/subscribe', { uri })).error).toMatchObject({ code: -32601 })
    const modern = new ModernClient(gateway.endpoint('later'), token)
    expect((await modern.request('resources/read', { uri })).error).toMatchObject({ code: -32601 })
    const discovered = await modern.request('server/discover')
    expect(discovered.result).toHaveProperty('capabilities.tools')
    expect(discovered.result).not.toHaveProperty('capabilities.resources')
  })
})

describe('an answer about something out of scope equals the answer about something unknown', () => {
  it('for a tool that takes arguments from headers', async () => {
    const token = await gateway.site.token({ tools: 'echo' })
    for (const [path, hidden, none] of [
      ['later', 'destroy', 'nothing'],
      [undefined, 'later__destroy', 'later__nothing'],
    ] as const) {
      const client = new ModernClient(gateway.endpoint(path), token)
      const args = { region: 'eu' }
      const [there, absent] = [await client.call(hidden, args), await client.call(none, args)]
      expect(refusalOf(there)).toBe('unknown_tool')
      expect(JSON.stringify(there.result).replaceAll(hidden, 'NAME')).toBe(
        JSON.stringify(absent.result).replaceAll(none, 'NAME'),
      )
    }
  })

  const strip = (text: string, name: string): string => text.replaceAll(name, 'NAME')

  it('for a server, in every byte, for all kinds of requests', async () => {
    const token = await gateway.site.token({ servers: 'files' })
    const { body, headers } = modernCall('echo')
    const requests = [
      { body, headers },
      {
        body: call(0, 'echo'),
        headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      },
      { method: 'GET', headers: { accept: 'text/event-stream' } },
      { method: 'DELETE', headers: {} },
      { method: 'PUT', headers: {} },
      { body: 'x', headers: { 'content-type': 'text/plain' } },
    ]
    for (const request of requests) {
      const ask = async (server: string) => {
        const reply = await send(gateway.endpoint(server), {
          ...request,
          headers: { ...request.headers, ...bearer(token) },
        })
        const { date: _date, ...rest } = reply.headers
        return { status: reply.status, headers: rest, text: reply.text }
      }
      const hidden = await ask('web')
      expect(hidden).toEqual(await ask('nobody'))
      expect(hidden.status).toBe(404)
    }
    expect((await new ModernClient(gateway.endpoint('files'), token).call('echo')).result).toBeDefined()
  })

  it('for a tool on the direct surface', async () => {
    const token = await gateway.site.token({ tools: 'files:echo' })
    const client = new ModernClient(gateway.endpoint(), token)
    const before = witness.sightings.length
    const hidden = client.openCall('files__pid', {}, { id: 7 })
    const hiddenServer = client.openCall('web__echo', {}, { id: 7 })
    const unknown = client.openCall('files__nope', {}, { id: 7 })
    const unknownServer = client.openCall('nobody__echo', {}, { id: 7 })
    await Promise.all([hidden, hiddenServer, unknown, unknownServer].map(reply => reply.closed))
    const expected = strip(unknown.text, 'files__nope')
    expect(strip(hidden.text, 'files__pid')).toBe(expected)
    expect(strip(hiddenServer.text, 'web__echo')).toBe(expected)
    expect(strip(unknownServer.text, 'nobody__echo')).toBe(expected)
    expect(refusalOf(await hidden.answer())).toBe('unknown_tool')
    expect(witness.sightings.length).toBe(before)
  })

  it('for a tool on the surface of its server, in both eras', async () => {
    const token = await gateway.site.token({ tools: 'files:echo' })
    const before = witness.of('files').length
    const modern = new ModernClient(gateway.endpoint('files'), token)
    const legacy = await new LegacyClient(gateway.endpoint('files'), token).initialize()
    for (const open of [
      (name: string) => modern.openCall(name, {}, { id: 7 }),
      (name: string) => legacy.openCall(name, {}, 7),
    ]) {
      const [hidden, unknown] = [open('pid'), open('nope')]
      await Promise.all([hidden.closed, unknown.closed])
      expect(refusalOf(await hidden.answer())).toBe('unknown_tool')
      expect(strip(hidden.text, '"pid\\"').replaceAll('"pid"', '"NAME"')).toBe(
        strip(unknown.text, '"nope\\"').replaceAll('"nope"', '"NAME"'),
      )
    }
    const list = await modern.request('tools/list')
    expect(toolNames(list)).toEqual(['echo'])
    expect(witness.of('files').length).toBe(before)
  })

  it('in lists, which show only callable tools', async () => {
    const token = await gateway.site.token({ tools: 'files:echo,*:pid' })
    const list = await new ModernClient(gateway.endpoint(), token).request('tools/list')
    const names = toolNames(list)
    expect(names.toSorted()).toEqual(['files__echo', 'files__pid', 'later__pid', 'own__pid', 'web__pid'])
  })
})

describe('a read-only token', () => {
  it('neither lists nor calls a tool that writes, on any surface, in either era, and no such call reaches a server', async () => {
    const token = await gateway.site.token({ permissions: 'read' })
    const clients = [
      { client: new ModernClient(gateway.endpoint(), token), prefix: 'files__' },
      { client: new ModernClient(gateway.endpoint('files'), token), prefix: '' },
      { client: await new LegacyClient(gateway.endpoint(), token).initialize(), prefix: 'files__' },
      { client: await new LegacyClient(gateway.endpoint('files'), token).initialize(), prefix: '' },
    ]
    for (const { client, prefix } of clients) {
      const list = await client.request('tools/list')
      const names = toolNames(list)
      expect(names).toContain(`${prefix}echo`)
      expect(names.filter(name => /write|destroy/.test(name))).toEqual([])
      const before = witness.of('files').length
      for (const tool of ['write', 'destroy']) {
        const answer = await client.call(`${prefix}${tool}`, { path: 'x' })
        expect(answer.result?.isError).toBe(true)
        expect(['permission_denied', 'unknown_tool']).toContain(refusalOf(answer))
      }
      expect(witness.of('files').length).toBe(before)
      expect(textOf(await client.call(`${prefix}echo`, { a: 1 }))).toBe('{"a":1}')
    }
  })

  it('that may write may not call destructive tools', async () => {
    const token = await gateway.site.token({ permissions: 'write' })
    const client = new ModernClient(gateway.endpoint('files'), token)
    expect(textOf(await client.call('write', { a: 1 }))).toBe('wrote {"a":1}')
    expect(refusalOf(await client.call('destroy'))).toBe('permission_denied')
    expect(refusalOf(await client.call('echo'))).toBe('permission_denied')
  })
})

describe('revoking a token', () => {
  it('ends its open streams and sessions at once, and not those of other tokens', async () => {
    const { name, token } = await gateway.site.namedToken()
    const legacy = await new LegacyClient(gateway.endpoint('files'), token).initialize()
    const others = await new LegacyClient(gateway.endpoint('files'), everything).initialize()
    const [stream, kept] = [await legacy.listen(), await others.listen()]
    expect([stream.status, kept.status]).toEqual([200, 200])
    const modern = new ModernClient(gateway.endpoint('files'), token)
    const subscription = modern.open('subscriptions/listen', { notifications: { toolsListChanged: true } })
    await subscription.until('notifications/subscriptions/acknowledged')
    const before = witness.of('files', 'hanging').length
    const running = modern.openCall('hang', { by: 'revoked' })
    await witness.saw('files', 'hanging', sighting => JSON.stringify(sighting.args).includes('revoked'))
    expect(witness.of('files', 'hanging').length).toBe(before + 1)

    await gateway.site.revoke(name)
    const passed = startWatch(gateway.pid)
    await Promise.all([stream.closed, subscription.closed, running.closed])
    expect(passed()).toBeLessThan(3000)
    await witness.saw('files', 'cancelled')
    expect((await legacy.listen()).status).toBe(401)
    const late = legacy.post({ jsonrpc: '2.0', id: 9, method: 'ping' })
    await late.closed
    expect(late.status).toBe(401)

    expect(textOf(await others.call('echo', { still: 'here' }))).toBe('{"still":"here"}')
    await others.request('tools/list')
    expect(await Promise.race([kept.closed.then(() => 'closed'), 'open'])).toBe('open')
    kept.close()
  })

  it('cancels a call that waits for an answer of its client', async () => {
    const { name, token } = await gateway.site.namedToken()
    const client = new ModernClient(gateway.endpoint('own'), token, { elicitation: { form: {} } })
    const asked = {
      method: 'elicitation/create',
      params: { message: 'Revoked?', requestedSchema: { type: 'object' } },
    }
    const waiting = await client.call('ask', asked)
    expect(waiting.result).toMatchObject({ resultType: 'input_required' })
    const { id } = await witness.saw('own', 'received', ({ raw }) => raw?.includes('Revoked?') === true)
    await gateway.site.revoke(name)
    await witness.saw(
      'own',
      'received',
      ({ method, raw }) =>
        method === 'notifications/cancelled' && raw?.includes(`"requestId":${id}`) === true,
    )
  })

  it('does not give its session to another token', async () => {
    const { name, token } = await gateway.site.namedToken()
    const client = await new LegacyClient(gateway.endpoint('files'), token).initialize()
    await gateway.site.revoke(name)
    const reply = await send(gateway.endpoint('files'), {
      method: 'GET',
      headers: { ...client.headers, ...bearer(everything) },
    })
    expect(reply.status).toBe(404)
  })
})
