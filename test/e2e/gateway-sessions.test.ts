import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cleanUp } from '../support/clean-up.ts'
import { CLOCK, letAnHourPass } from '../support/clock.ts'
import {
  type Gateway,
  httpServer,
  Site,
  startReadyGateway,
  startStdioGateway,
  stdioServer,
} from '../support/gateway.ts'
import { bearer, LegacyClient, ModernClient, send, textOf } from '../support/raw-mcp.ts'
import { StdioClient } from '../support/stdio-client.ts'
import { openWitness, type Witness } from '../support/witness.ts'

const CLIENTS = 50
const SERVERS = ['pipe', 'pipe2026', 'web', 'web2026']

let witness: Witness
let gateway: Gateway
let token: string

beforeAll(async () => {
  witness = await openWitness()
  gateway = await startReadyGateway({
    mcpServers: {
      pipe: stdioServer('pipe', witness),
      pipe2026: stdioServer('pipe2026', witness, ['--era', 'modern']),
      web: await httpServer('web', witness),
      web2026: await httpServer('web2026', witness, ['--era', 'modern']),
    },
  })
  token = await gateway.site.token()
})
afterAll(cleanUp)

describe('50 clients that all use id 0 and token "t" never get the answers of another', () => {
  const payload = (index: number): { me: string; text: string } => ({
    me: `client ${index}`,
    text: 'é'.repeat(index),
  })

  it.each(SERVERS)('modern, with %s', async server => {
    const clients = Array.from({ length: CLIENTS }, () => new ModernClient(gateway.endpoint(server), token))
    const answers = await Promise.all(
      clients.map((client, index) => client.call('echo', payload(index), { id: 0 })),
    )
    for (const [index, answer] of answers.entries()) {
      expect(answer.id).toBe(0)
      expect(JSON.parse(textOf(answer))).toEqual(payload(index))
    }
  })

  it.each(SERVERS)('legacy, with %s', async server => {
    const clients = await Promise.all(
      Array.from({ length: CLIENTS }, () => new LegacyClient(gateway.endpoint(server), token).initialize()),
    )
    expect(new Set(clients.map(client => client.session)).size).toBe(CLIENTS)
    const answers = await Promise.all(clients.map((client, index) => client.call('echo', payload(index), 0)))
    for (const [index, answer] of answers.entries()) {
      expect(answer.id).toBe(0)
      expect(JSON.parse(textOf(answer))).toEqual(payload(index))
    }
  })

  it.each(SERVERS)('with progress, with %s', async server => {
    const params = (name: string) => ({ name: 'progress', arguments: { name, steps: 3 } })
    const modern = Array.from({ length: CLIENTS / 2 }, (_, index) =>
      new ModernClient(gateway.endpoint(server), token).open('tools/call', params(`m${index}`), {
        id: 0,
        meta: { progressToken: 't' },
      }),
    )
    const sessions = await Promise.all(
      Array.from({ length: CLIENTS / 2 }, () =>
        new LegacyClient(gateway.endpoint(server), token).initialize(),
      ),
    )
    const legacy = sessions.map((client, index) =>
      client.open('tools/call', { ...params(`l${index}`), _meta: { progressToken: 't' } }, 0),
    )
    const replies = [
      ...modern.map((reply, i) => [`m${i}`, reply] as const),
      ...legacy.map((r, i) => [`l${i}`, r] as const),
    ]
    for (const [name, reply] of replies) {
      expect(textOf(await reply.answer())).toBe(`done ${name}`)
      const progress = reply.messages.items.filter(message => message.method === 'notifications/progress')
      expect(progress.map(({ params }) => [params?.progressToken, params?.message])).toEqual(
        [1, 2, 3].map(step => ['t', `${name} ${step}`]),
      )
    }
  })

  it('on pipes of their own', async () => {
    const site = new Site({ mcpServers: { web: await httpServer('shared', witness) } })
    const clients = Array.from({ length: 3 }, () => new StdioClient(startStdioGateway(site, ['--direct'])))
    const answers = await Promise.all(
      clients.map(async (client, index) => {
        await client.initialize()
        return client.request('tools/call', { name: 'web__echo', arguments: payload(index) })
      }),
    )
    for (const [index, answer] of answers.entries())
      expect(JSON.parse(textOf(answer))).toEqual(payload(index))
    await Promise.all(clients.map(client => client.leave()))
  })

  it('even if one of them uses an id twice at the same time', async () => {
    const client = await new LegacyClient(gateway.endpoint('pipe'), token).initialize()
    const answers = await Promise.all([1, 2, 3].map(n => client.call('echo', { n }, 'same')))
    expect(answers.map(answer => [answer.id, textOf(answer)])).toEqual(
      [1, 2, 3].map(n => ['same', JSON.stringify({ n })]),
    )
  })

  it('ids keep their type and value', async () => {
    const client = await new LegacyClient(gateway.endpoint('pipe'), token).initialize()
    const ids = ['0', 0, '', 'ü', Number.MAX_SAFE_INTEGER, -5, '__proto__']
    const answers = await Promise.all(ids.map(id => client.call('echo', { id }, id)))
    expect(answers.map(answer => answer.id)).toEqual(ids)
    expect(answers.map(answer => JSON.parse(textOf(answer)))).toEqual(ids.map(id => ({ id })))
  })
})

describe('a session', () => {
  const ask = (headers: Record<string, string>, server = 'pipe', method = 'POST') =>
    send(gateway.endpoint(server), {
      method,
      headers,
      ...(method === 'POST' ? { body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }) } : {}),
    })

  it('belongs to the token that opened it, at the path where it was opened', async () => {
    const mine = await new LegacyClient(gateway.endpoint('pipe'), token).initialize()
    const foreign = await gateway.site.token()
    const seen = witness.of('pipe').length
    for (const method of ['POST', 'GET', 'DELETE']) {
      expect((await ask({ ...mine.headers, ...bearer(foreign) }, 'pipe', method)).status).toBe(404)
      expect((await ask({ ...mine.headers }, 'web', method)).status).toBe(404)
      expect(
        (await ask({ ...mine.headers, 'mcp-session-id': crypto.randomUUID() }, 'pipe', method)).status,
      ).toBe(404)
    }
    expect(witness.of('pipe').length).toBe(seen)
    expect((await ask({ ...mine.headers })).status).toBe(200)
    const bare = await ask({ ...mine.headers, 'mcp-session-id': '' })
    expect([400, 404]).toContain(bare.status)
  })

  it('of another caller is answered like one that never existed', async () => {
    const mine = await new LegacyClient(gateway.endpoint('pipe'), token).initialize()
    const foreign = bearer(await gateway.site.token())
    const other = await ask({ ...mine.headers, ...foreign })
    const none = await ask({ ...mine.headers, ...foreign, 'mcp-session-id': crypto.randomUUID() })
    expect([other.status, other.text]).toEqual([none.status, none.text])
  })

  it('has an id that cannot be guessed', async () => {
    const sessions = await Promise.all(
      Array.from({ length: 5 }, () => new LegacyClient(gateway.endpoint('pipe'), token).initialize()),
    )
    for (const { session } of sessions) expect(session.replaceAll('-', '').length).toBeGreaterThanOrEqual(32)
  })

  it('ends with DELETE, with its streams and calls', async () => {
    const client = await new LegacyClient(gateway.endpoint('pipe'), token).initialize()
    const stream = await client.listen()
    const hanging = client.openCall('hang', { in: 'a session that ends' })
    const { id } = await witness.saw('pipe', 'hanging', ({ args }) =>
      JSON.stringify(args).includes('that ends'),
    )
    expect((await client.end()).status).toBe(200)
    await stream.closed
    await witness.saw('pipe', 'cancelled', sighting => sighting.id === id)
    await hanging.closed
    expect((await ask({ ...client.headers })).status).toBe(404)
    expect((await client.end()).status).toBe(404)
  })

  it('ends with all calls of a batch, even those that have not started or share an id', async () => {
    const client = await new LegacyClient(gateway.endpoint('pipe'), token).initialize({
      version: '2025-03-26',
    })
    const call = (id: number) => ({
      jsonrpc: '2.0',
      id,
      method: 'tools/call',
      params: { name: 'hang', arguments: { in: 'a batch that ends' } },
    })
    const batch = client.post(Array.from({ length: 20 }, (_, at) => call(at % 10)))
    await witness.saw('pipe', 'hanging', ({ args }) => JSON.stringify(args).includes('a batch that ends'))
    expect((await client.end()).status).toBe(200)
    await batch.closed
    expect(JSON.parse(batch.text)).toEqual([])
  })

  it('is opened once: a second initialize in it, and a request without it, are refused', async () => {
    const client = await new LegacyClient(gateway.endpoint('pipe'), token).initialize()
    const params = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'x', version: '0' },
    }
    const again = client.post({ jsonrpc: '2.0', id: 5, method: 'initialize', params })
    await again.closed
    expect(again.status).toBe(400)
    const { 'mcp-session-id': _session, ...without } = client.headers
    expect((await ask(without)).status).toBe(400)
    expect((await ask({ ...client.headers, 'mcp-protocol-version': '1999-01-01' })).status).toBe(400)
  })

  it('requires a client that accepts JSON and streams', async () => {
    const client = await new LegacyClient(gateway.endpoint('pipe'), token).initialize()
    const { headers } = client
    // Everything sent to the server before this answer has arrived.
    await client.call('echo')
    const seen = witness.of('pipe').length
    for (const accept of ['application/json', 'text/event-stream', 'text/html', ''])
      expect((await ask({ ...headers, accept })).status).toBe(406)
    expect(witness.of('pipe').length).toBe(seen)
    for (const accept of ['*/*', 'application/*, text/*', 'text/event-stream;q=0.5,application/json'])
      expect((await ask({ ...headers, accept })).status).toBe(200)
  })

  it.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])('supports revision %s', async version => {
    const client = await new LegacyClient(gateway.endpoint('web2026'), token).initialize({ version })
    expect(client.greeting.result).toMatchObject({
      protocolVersion: version,
      serverInfo: { name: 'test-server' },
    })
    expect(textOf(await client.call('echo', { version }))).toBe(JSON.stringify({ version }))
  })

  it('ends after it was idle for a while', async () => {
    const brief = await startReadyGateway(
      {
        mcpServers: { idle: stdioServer('idle', witness) },
        limits: { sessionIdle: '90m' },
      },
      { env: CLOCK },
    )
    const own = await brief.site.token()
    const [used, forgotten, listening] = await Promise.all(
      [0, 1, 2].map(() => new LegacyClient(brief.endpoint('idle'), own).initialize()),
    )
    const stream = await listening?.listen()
    const status = async (client: LegacyClient | undefined): Promise<number> => {
      const reply = client?.open('ping')
      await reply?.closed
      return reply?.status ?? 0
    }
    await letAnHourPass(brief)
    expect(await status(used)).toBe(200)
    await letAnHourPass(brief)
    // The gateway checks once a second.
    await sleep(1500)
    expect(await status(used)).toBe(200)
    expect(await status(forgotten)).toBe(404)
    expect(await status(listening)).toBe(200)
    stream?.close()
  })
})

describe('a stream of a session', () => {
  it.each(SERVERS)('with half of a call’s answer can be resumed without loss: %s', async server => {
    const client = await new LegacyClient(gateway.endpoint(server), token).initialize()
    const params = {
      name: 'progress',
      arguments: { name: 'p', steps: 30, hold: server },
      _meta: { progressToken: 'x' },
    }
    const lost = client.open('tools/call', params, 'half')
    await lost.until('notifications/progress')
    lost.close()
    await lost.closed
    // The first event only starts the stream; the second is the first progress.
    const rest = await client.listen({ 'last-event-id': lost.eventIds[1] ?? '' })
    expect(rest.status).toBe(200)
    await witness.saw(server, 'hanging', ({ args }) => JSON.stringify(args).includes('"hold"'))
    witness.tell(server, { kind: 'release' })
    const answer = await rest.answer()
    expect([answer.id, textOf(answer)]).toEqual(['half', 'done p'])
    await rest.closed
    const missed = rest.messages.items.filter(message => message.method === 'notifications/progress')
    const steps = Array.from({ length: 29 }, (_, index) => index + 2)
    expect(missed.map(message => message.params?.progress)).toEqual(steps)
  })

  it('cannot be resumed by another caller, even with the right event id', async () => {
    const client = await new LegacyClient(gateway.endpoint('pipe'), token).initialize()
    const params = {
      name: 'progress',
      arguments: { name: 'secret', steps: 3 },
      _meta: { progressToken: 'x' },
    }
    const reply = client.open('tools/call', params)
    await reply.closed
    const eventId = reply.eventIds[0] ?? ''
    const other = await new LegacyClient(gateway.endpoint('pipe'), token).initialize()
    const stolen = await other.listen({ 'last-event-id': eventId })
    await Promise.race([stolen.closed, other.request('ping').then(() => other.call('echo'))])
    expect(stolen.text).not.toContain('secret')
    stolen.close()
  })

  it('is unique, and can be resumed where it was lost', async () => {
    const client = await new LegacyClient(gateway.endpoint('pipe'), token).initialize()
    const first = await client.listen()
    expect((await client.listen()).status).toBe(409)
    for (const uri of ['one', 'two']) await client.request('resources/subscribe', { uri })
    const told = (uri: string) =>
      client.call('watch', { method: 'notifications/resources/updated', params: { uri } })
    await told('one')
    await first.until('notifications/resources/updated')
    const seen = first.eventIds.at(-1) ?? ''
    expect(seen).not.toBe('')
    first.close()
    await first.closed
    await expect
      .poll(async () => {
        await told('two')
        const again = await client.listen({ 'last-event-id': seen })
        if (again.status !== 200) return again.status
        const missed = await again.until('notifications/resources/updated')
        again.close()
        return missed.params?.uri
      })
      .toBe('two')
  })
})
