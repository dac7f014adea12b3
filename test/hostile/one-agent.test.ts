import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { personToken, signIn } from '../support/admin.ts'
import { cleanUp, later } from '../support/clean-up.ts'
import { type Gateway, httpServer, startReadyGateway, stdioServer } from '../support/gateway.ts'
import {
  bearer,
  type Json,
  LegacyClient,
  type Message,
  ModernClient,
  Reply,
  refusalOf,
  send,
  textOf,
} from '../support/raw-mcp.ts'
import { startWatch } from '../support/stopwatch.ts'
import { openWitness, type Witness } from '../support/witness.ts'
import { modernHeaders } from './scene.ts'

// One agent uses as much as it can, and other agents are not affected. All limits are small here, so that they are
// reached quickly.

const CALLS = 24
const CALLS_OF_ONE = 8
const STREAMS = 6
const STREAMS_OF_ONE = 2
const PARKED_OF_ONE = 6
const BODY_MS = 600
const UNREAD_MS = 1000
const MB = 1_000_000
/** More than the socket buffers of both sides hold. */
const LONG = 16 * MB
/** Far less time than waiting for the other agent would take. */
const SOON_MS = 3000

let witness: Witness
let gateway: Gateway
let greedy: string
let other: string

beforeAll(async () => {
  witness = await openWitness()
  gateway = await startReadyGateway({
    mcpServers: {
      wide: stdioServer('wide', witness),
      narrow: await httpServer('narrow', witness, [], { concurrency: 4, queue: 8, timeout: '5s' }),
      single: await httpServer('single', witness, [], { concurrency: 1, queue: 4, timeout: '1s' }),
      slow: await httpServer('slow', witness, [], { concurrency: 1, queue: 4, timeout: '4s' }),
    },
    limits: {
      concurrentCalls: CALLS,
      callsPerPrincipal: CALLS_OF_ONE,
      streams: STREAMS,
      streamsPerPrincipal: STREAMS_OF_ONE,
      streamQueue: '100kb',
      parkedPerPrincipal: PARKED_OF_ONE,
      bodiesPerPrincipal: 10 * MB,
      bodyTime: BODY_MS,
      unreadTime: UNREAD_MS,
      unreadPerPrincipal: 1.5 * LONG,
      unreadTotal: 3 * LONG,
      connections: 120,
    },
  })
  greedy = await gateway.site.token()
  other = await gateway.site.token()
})
afterAll(cleanUp)

const clientOf = (token: string, server = 'wide'): ModernClient =>
  new ModernClient(gateway.endpoint(server), token, { elicitation: { form: {} } })

/** A call of the other agent, and how long it took. */
async function callOfOther(server = 'wide'): Promise<{ text: string; ms: number }> {
  const waited = startWatch(gateway.pid)
  const answer = await clientOf(other, server).call('echo', { mine: 1 })
  return { text: textOf(answer), ms: waited() }
}

/** A new connection, with the text received over it. */
function open(bytes = ''): Socket & { text: string } {
  const { port } = new URL(gateway.url)
  const socket = Object.assign(connect(Number(port), '127.0.0.1'), { text: '' })
  socket.setEncoding('latin1').on('data', (part: string) => (socket.text += part))
  socket.on('error', () => {})
  socket.write(bytes)
  later(() => void socket.destroy())
  return socket
}

const closed = (socket: Socket): Promise<unknown> =>
  socket.closed ? Promise.resolve() : new Promise(resolve => socket.once('close', resolve))

const statusOf = ({ text }: { text: string }): string => text.slice(9, 12)

/** A tool call as bytes; the body can be sent later. */
function writeCall(name: string, args: object, token: string): { head: string; body: string } {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args, _meta } }
  const body = JSON.stringify(message)
  const lines = [...modernHeaders(gateway.url, token, name), `Content-Length: ${body.length}`]
  return { head: `POST /mcp/servers/wide HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`, body }
}

const codeOf = ({ error }: Message): unknown => (error?.data as { code?: string } | undefined)?.code

describe('requests with incomplete bodies', () => {
  it('do not block others, are limited, and end', async () => {
    const { head } = writeCall('echo', {}, greedy)
    const sockets = Array.from({ length: 2 * CALLS }, () => open(`${head}{`))
    await expect
      .poll(() => sockets.filter(socket => socket.text !== '').length)
      .toBe(2 * CALLS - CALLS_OF_ONE)
    const refused = sockets.filter(socket => socket.text !== '')
    expect(new Set(refused.map(statusOf))).toEqual(new Set(['429']))
    expect(refused[0]?.text).toMatch(/limits\.callsPerPrincipal/)
    expect(await callOfOther()).toMatchObject({ text: '{"mine":1}' })
    const late = sockets.filter(socket => !refused.includes(socket))
    await Promise.all(late.map(closed))
    expect(new Set(late.map(statusOf))).toEqual(new Set(['408']))
    expect(late[0]?.text).toMatch(/limits\.bodyTime/)
    expect(textOf(await clientOf(greedy).call('echo', { again: 1 }))).toBe('{"again":1}')
    for (const socket of sockets) socket.destroy()
  })

  it('are limited in memory', async () => {
    const { head, body } = writeCall('echo', { long: 'x'.repeat(3.5 * MB) }, greedy)
    const sockets = Array.from({ length: 5 }, () => open(head + body.slice(0, 3 * MB)))
    const told = () => sockets.filter(({ text }) => text.includes('limits.bodiesPerPrincipal'))
    await expect.poll(() => told().length).toBeGreaterThan(0)
    expect(told().map(statusOf)[0]).toBe('429')
    expect(await callOfOther()).toMatchObject({ text: '{"mine":1}' })
    for (const socket of sockets) socket.destroy()
  })

  it.each(['callsPerPrincipal', 'bodiesPerPrincipal'])(
    'are limited by limits.%s for people, too',
    async limit => {
      const token = await personToken(gateway.site, 'viewer', `viewer-${limit}`)
      const lines = [
        'POST /api/v1/policies/check HTTP/1.1',
        `Host: ${new URL(gateway.url).host}`,
        `Authorization: Bearer ${token}`,
        'Content-Type: application/json',
        `Content-Length: ${3.5 * MB}`,
      ]
      const [count, length] = limit === 'callsPerPrincipal' ? [2 * CALLS_OF_ONE, 1] : [5, 3 * MB]
      const bytes = `${lines.join('\r\n')}\r\n\r\n${' '.repeat(length)}`
      const sockets = Array.from({ length: count }, () => open(bytes))
      const refused = () => sockets.filter(({ text }) => text.includes(`limits.${limit}`))
      await expect.poll(() => refused().length).toBeGreaterThan(0)
      expect(refused().map(statusOf)[0]).toBe('429')
      const me = await fetch(`${gateway.url}/api/v1/me`, { headers: bearer(token) })
      expect(me.status).toBe(200)
      const late = () => sockets.filter(({ text }) => text.includes('limits.bodyTime'))
      await expect.poll(() => late().length + refused().length).toBe(count)
      for (const socket of late()) {
        expect(statusOf(socket)).toBe('408')
        expect(socket.text).toContain('"code":"body_late"')
      }
      await Promise.all(late().map(closed))
    },
  )

  it('have as much time as they need if data keeps arriving', async () => {
    const { head, body } = writeCall('echo', { slowly: 'but surely' }, greedy)
    const socket = open(head)
    const parts = body.match(/.{1,60}/g) ?? []
    for (const part of parts) {
      socket.write(part)
      await new Promise(resolve => setTimeout(resolve, (3 * BODY_MS) / parts.length))
    }
    await expect.poll(() => socket.text).toContain('but surely')
    socket.destroy()
  })
})

describe('bodies in chunks of one byte', () => {
  const PIECES = '1\r\nx\r\n'.repeat(10_000)
  const flood = async (path: string, lines: readonly string[]): Promise<Socket & { text: string }> => {
    const head = [`POST ${path} HTTP/1.1`, ...lines, 'Transfer-Encoding: chunked'].join('\r\n')
    const socket = open(`${head}\r\n\r\n1\r\n"\r\n`)
    for (let at = 0; at < 50 && !socket.closed; at += 1)
      if (!socket.write(PIECES))
        await new Promise(resolve => void socket.once('drain', resolve).once('close', resolve))
    await closed(socket)
    return socket
  }
  const host = () => `Host: ${new URL(gateway.url).host}`
  const JSON_BODY = 'Content-Type: application/json'

  it('are refused before they become long', async () => {
    const socket = await flood('/mcp/servers/wide', modernHeaders(gateway.url, greedy, 'echo'))
    expect(statusOf(socket)).toBe('413')
    expect(socket.text).toMatch(/connection: close/i)
    expect(await callOfOther()).toMatchObject({ text: '{"mine":1}' })
  })

  it('are not read without a valid credential', async () => {
    const token = 'Authorization: Bearer hg_nobody'
    const statuses = [
      await flood('/mcp', [host(), JSON_BODY]),
      await flood('/mcp', [host(), JSON_BODY, token]),
      await flood('/mcp', ['Host: elsewhere.example', JSON_BODY]),
      await flood('/api/v1/sign-in', [host(), JSON_BODY]),
      await flood('/api/v1/sign-in', [host()]),
      await flood('/api/v1/servers', [host(), JSON_BODY]),
      await flood('/healthz', [host()]),
    ].map(statusOf)
    expect(statuses).toEqual(['401', '401', '403', '413', '415', '401', '200'])
  })

  it('are accepted if they are short', async () => {
    const { head, body } = writeCall('echo', { in: 'pieces' }, greedy)
    const chunks = [...body].map(character => `1\r\n${character}\r\n`).join('')
    const socket = open(
      `${head.replace(/Content-Length: \d+/, 'Transfer-Encoding: chunked')}${chunks}0\r\n\r\n`,
    )
    await expect.poll(() => socket.text).toContain('pieces')
    socket.destroy()
  })
})

describe('long calls', () => {
  it('of one agent are limited, also within a batch, and leave room for others', async () => {
    const client = clientOf(greedy)
    const running = Array.from({ length: CALLS_OF_ONE - 1 }, (_, n) => client.openCall('hang', { long: n }))
    await Promise.all(running.map((_, n) => hung('wide', `"long":${n}`)))
    const legacy = await new LegacyClient(gateway.endpoint('wide'), greedy).initialize({
      version: '2025-03-26',
    })
    const calls = [1, 2].map(id => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'echo' } }))
    const batch = legacy.post(calls)
    await batch.closed
    expect([batch.status, batch.text]).toEqual([429, expect.stringContaining('limits.callsPerPrincipal')])
    running.push(client.openCall('hang', { long: 'last' }))
    await hung('wide', '"long":"last"')
    const surplus = Array.from({ length: CALLS }, () => client.openCall('echo'))
    await Promise.all(surplus.map(reply => reply.closed))
    expect(new Set(surplus.map(({ status }) => status))).toEqual(new Set([429]))
    expect(surplus[0]?.headers['retry-after']).toBe('1')
    expect(await callOfOther()).toMatchObject({ text: '{"mine":1}' })
    // Notifications are not limited: otherwise a client could not cancel its calls or answer their questions.
    expect(await legacy.notify('notifications/cancelled', { requestId: 9 })).toBe(202)
    witness.tell('wide', { kind: 'release' })
    await Promise.all(running.map(reply => reply.closed))
    expect(textOf(await client.call('echo', { again: 1 }))).toBe('{"again":1}')
  })

  it('count until they end, even if a legacy client disconnects, because they continue', async () => {
    const client = await new LegacyClient(gateway.endpoint('wide'), greedy).initialize()
    const name = crypto.randomUUID()
    for (let at = 0; at < CALLS_OF_ONE; at += 1) {
      const call = client.openCall('hang', { name: `${name} ${at}` })
      await witness.saw('wide', 'hanging', ({ args }) => JSON.stringify(args).includes(`${name} ${at}`))
      call.close()
      await call.closed
    }
    const more = client.open('ping')
    await more.closed
    expect(more.status).toBe(429)
    expect(textOf(await clientOf(other).call('echo', { a: 1 }))).toBe('{"a":1}')
    // The calls end with their session, which makes room again.
    expect((await client.end()).status).toBe(200)
    await expect
      .poll(async () =>
        textOf(
          await clientOf(greedy)
            .call('echo', { a: 1 })
            .catch(() => ({})),
        ),
      )
      .toBe('{"a":1}')
  })
})

describe('answers that a client does not read', () => {
  it('are limited, and end after a time', async () => {
    const { head, body } = writeCall('big', { bytes: LONG }, greedy)
    const unread = open(head + body)
    unread.pause()
    const client = clientOf(greedy)
    // Until then there is no room for another long answer; the error says that the call was made.
    await expect.poll(async () => codeOf(await client.call('big', { bytes: LONG }))).toBe('overloaded')
    expect(textOf(await client.call('echo', { short: 1 }))).toBe('{"short":1}')
    expect(textOf(await clientOf(other).call('big', { bytes: LONG }))).toHaveLength(LONG)
    const passed = startWatch(gateway.pid)
    await expect.poll(async () => textOf(await client.call('big', { bytes: LONG })).length).toBe(LONG)
    expect(passed()).toBeLessThan(4 * UNREAD_MS)
    unread.resume()
    await closed(unread)
    expect(unread.text.length).toBeLessThan(LONG)
  })

  it('are complete for a client that reads slowly', async () => {
    const { head, body } = writeCall('big', { bytes: LONG }, greedy)
    const socket = open(head + body)
    for (let at = 0; at < 8; at += 1) {
      socket.pause()
      await new Promise(resolve => setTimeout(resolve, UNREAD_MS / 4))
      socket.resume()
      await new Promise(resolve => setTimeout(resolve, 5))
    }
    await expect.poll(() => socket.text.length).toBeGreaterThan(LONG)
    socket.destroy()
  })
})

describe('streams', () => {
  it('deliver an answer completely even if it is longer than their queue', async () => {
    const capabilities = { elicitation: {} }
    const legacy = await new LegacyClient(gateway.endpoint('narrow'), greedy).initialize({ capabilities })
    const reply = legacy.openCall('ask', ASK)
    const { id } = await reply.until('elicitation/create')
    reply.pause()
    await legacy.respond(id ?? '', { action: 'accept', content: { said: 'x'.repeat(3.9 * MB) } })
    await new Promise(resolve => setTimeout(resolve, UNREAD_MS / 4))
    reply.resume()
    expect(textOf(await reply.answer()).length).toBeGreaterThan(3.9 * MB)
    expect(reply.isStream).toBe(true)
  })

  const listening = { notifications: { toolsListChanged: true } }
  const events = (token: string): Reply =>
    new Reply(`${gateway.url}/api/v1/events`, { method: 'GET', headers: bearer(token) })

  it('of one agent leave room for others, and those of all agents leave room for people', async () => {
    const opened: Reply[] = []
    const take = async (token: string): Promise<number> => {
      const reply = clientOf(token).open('subscriptions/listen', listening)
      await reply.opened
      opened.push(reply)
      return reply.status
    }
    const tokens = [greedy, other, await gateway.site.token()]
    for (const token of tokens) {
      const statuses = []
      for (let at = 0; at < STREAMS; at += 1) statuses.push(await take(token))
      const [taken, refused] = [statuses.slice(0, STREAMS_OF_ONE), statuses.slice(STREAMS_OF_ONE)]
      expect(taken).toEqual([200, 200])
      expect(refused.every(status => status === 429 || status === 503)).toBe(true)
    }
    expect(opened[STREAMS_OF_ONE]?.text).toContain('limits.streamsPerPrincipal')
    expect(await take(await gateway.site.token())).toBe(503)
    const watching = events(await personToken(gateway.site, 'admin'))
    await watching.opened
    expect(watching.status).toBe(200)
    for (const reply of [...opened, watching]) reply.close()
  })
})

describe('the slots of one server', () => {
  it('are not all used by one agent', async () => {
    const client = clientOf(greedy, 'narrow')
    const hanging = Array.from({ length: CALLS_OF_ONE }, (_, n) => client.openCall('hang', { place: n }))
    await expect.poll(() => seen('narrow', 'hanging')).toBe(3)
    const { text, ms } = await callOfOther('narrow')
    expect(text).toBe('{"mine":1}')
    expect(ms).toBeLessThan(SOON_MS)
    for (const reply of hanging) reply.close()
  })

  it('are not used by calls that wait for a person, and such a call continues when it is answered', async () => {
    const client = clientOf(greedy, 'single')
    const first = await park(client)
    for (let at = 1; at < PARKED_OF_ONE; at += 1) await park(client)
    const { text, ms } = await callOfOther('single')
    expect(text).toBe('{"mine":1}')
    expect(ms).toBeLessThan(SOON_MS)
    expect(textOf(await answer(client, first))).toContain('this one')
  })

  it('of waiting calls are limited in number: over the limit a caller loses its own oldest one', async () => {
    const [mine, theirs] = [clientOf(other, 'single'), clientOf(greedy, 'single')]
    const [kept, lost] = [await park(mine), await park(theirs)]
    for (let at = 0; at < PARKED_OF_ONE; at += 1) await park(theirs)
    expect((await answer(theirs, lost)).error?.data).toEqual({ reason: 'invalid_request_state' })
    expect(textOf(await answer(mine, kept))).toContain('this one')
  })

  it('of waiting calls are limited in length: over the limit a caller loses its own oldest one', async () => {
    const [mine, theirs] = [clientOf(other, 'single'), clientOf(greedy, 'single')]
    const [kept, lost] = [await park(mine), await park(theirs)]
    // Together more than a quarter of the limit on the bodies of one caller.
    await park(theirs, { much: 'x'.repeat(2 * MB) })
    await park(theirs, { much: 'x'.repeat(2 * MB) })
    expect((await answer(theirs, lost)).error?.data).toEqual({ reason: 'invalid_request_state' })
    expect(textOf(await answer(mine, kept))).toContain('this one')
  })

  it('are not waited for longer than the timeout of a call', async () => {
    const client = clientOf(greedy, 'single')
    const passed = startWatch(gateway.pid)
    const answers = await Promise.all(Array.from({ length: 4 }, () => client.call('hang')))
    // One after the other, the calls would take four seconds.
    expect(passed()).toBeLessThan(3500)
    const codes = answers.map(refusalOf)
    expect(codes.filter(code => code === 'overloaded').length).toBeGreaterThan(0)
    expect(codes.filter(code => code !== 'overloaded' && code !== 'upstream_timeout')).toEqual([])
  })

  it('are waited for within the timeout of a call', async () => {
    const first = clientOf(greedy, 'slow').call('hang')
    await witness.saw('slow', 'hanging')
    await new Promise(resolve => setTimeout(resolve, 2000))
    const passed = startWatch(gateway.pid)
    expect(refusalOf(await clientOf(other, 'slow').call('hang'))).toBe('upstream_timeout')
    // Two seconds in the queue, and the two that remain; without counting the queue it would be six.
    expect(passed()).toBeLessThan(5500)
    await first
  })
})

describe('a client without a credential', () => {
  it('cannot send long sign-in codes', async () => {
    const statusFor = async (length: number): Promise<number> => {
      const body = JSON.stringify({ code: 'x'.repeat(length) })
      const headers = { 'content-type': 'application/json' }
      return (await send(`${gateway.url}/api/v1/sign-in`, { body, headers })).status
    }
    expect(await statusFor(5000)).toBe(413)
    expect(await statusFor(1000)).not.toBe(413)
  })

  it('does not prevent the sign-in with a valid code', async () => {
    const body = JSON.stringify({ code: `hg_admin_${'x'.repeat(43)}` })
    const headers = { 'content-type': 'application/json' }
    const statuses = []
    for (let at = 0; at < 14; at += 1)
      statuses.push((await send(`${gateway.url}/api/v1/sign-in`, { body, headers })).status)
    expect(statuses.at(0)).not.toBe(429)
    expect(statuses.at(-1)).toBe(429)
    expect(await signIn(gateway)).toMatch(/^hintgate_session=/)
  })

  it('cannot open an unlimited number of connections', async () => {
    const sockets = Array.from({ length: 150 }, () => open())
    await expect.poll(() => sockets.filter(socket => socket.closed).length).toBeGreaterThanOrEqual(30)
    for (const socket of sockets) socket.destroy()
    await expect.poll(async () => (await callOfOther()).text).toBe('{"mine":1}')
  })
})

// Last, because it stops the gateway.
describe('the data stored for a client', () => {
  it('has a limited length for its description', async () => {
    const long = { capabilities: { experimental: { x: 'y'.repeat(70_000) } } }
    const client = new LegacyClient(gateway.endpoint('wide'), greedy)
    await client.initialize(long)
    expect(client.session).toBe('')
    expect(client.greeting.error?.message).toContain('65536 characters')
  })

  it('has a limited length for the addresses that it watches', async () => {
    const resourceSubscriptions = ['note://1', `note://${'x'.repeat(9000)}`]
    const stream = clientOf(greedy).open('subscriptions/listen', { notifications: { resourceSubscriptions } })
    const { params } = await stream.until('notifications/subscriptions/acknowledged')
    stream.close()
    expect(JSON.stringify(params)).toContain('note://1')
    expect(JSON.stringify(params)).not.toContain('xxx')
  })
})

describe('a gateway that is told to stop', () => {
  it('does not wait for idle connections', async () => {
    expect((await fetch(`${gateway.url}/healthz`)).status).toBe(200)
    // A call that ends during the shutdown, over a connection that its client would use again.
    const { head, body } = writeCall('hang', { until: 'the end' }, other)
    const busy = open(head + body)
    await hung('wide', 'the end')
    const silent = open()
    const stream = clientOf(greedy).open('subscriptions/listen', {
      notifications: { toolsListChanged: true },
    })
    await stream.until('notifications/subscriptions/acknowledged')
    await expect.poll(() => silent.readyState).toBe('open')
    const passed = startWatch(gateway.pid)
    const ended = gateway.stop()
    await stream.closed
    witness.tell('wide', { kind: 'release' })
    expect(await ended).toBe(0)
    expect(busy.text).toContain('released')
    expect(passed()).toBeLessThan(SOON_MS)
  })
})

function hung(server: string, mark: string): Promise<unknown> {
  return witness.saw(server, 'hanging', ({ args }) => JSON.stringify(args).includes(mark))
}

function seen(server: string, kind: 'hanging'): number {
  return witness.of(server, kind).length
}

const ASK = {
  method: 'elicitation/create',
  params: { message: 'which?', requestedSchema: { type: 'object', properties: {} } },
}

/** Starts a call whose server asks a question; returns what its client must send back. */
async function park(client: ModernClient, more: Json = {}): Promise<Json> {
  const { result } = await client.call('ask', { ...ASK, ...more })
  expect(result?.resultType).toBe('input_required')
  return result ?? {}
}

function answer(client: ModernClient, { inputRequests, requestState }: Json): Promise<Message> {
  const [key = ''] = Object.keys(inputRequests as object)
  const inputResponses = { [key]: { action: 'accept', content: { said: 'this one' } } }
  return client.request('tools/call', { name: 'ask', arguments: ASK, requestState, inputResponses })
}
