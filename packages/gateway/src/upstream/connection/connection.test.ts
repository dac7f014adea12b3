import { describe, expect, it, vi } from 'vitest'
import type { Channel, ChannelHandlers, Outgoing } from '../channel/channel.ts'
import { Connection } from './connection.ts'
import type { ConnectionOptions } from './connection-options.ts'

const ENVELOPE = { capabilities: {} }
const say = (message: object) => JSON.stringify({ jsonrpc: '2.0', ...message })
const NOTE = say({ method: 'notifications/message', params: { level: 'info', data: 'x' } })

/** A connection without a server. The test sends the messages that a server would send. */
async function connect(options: ConnectionOptions) {
  const heard: unknown[] = []
  const sent: Outgoing[] = []
  let handlers: ChannelHandlers | undefined
  const channel: Channel = {
    async open(given) {
      handlers = given
    },
    send(message) {
      sent.push(message)
      return undefined
    },
    async close() {},
  }
  const events = { onEvent: (notification: unknown) => heard.push(notification), onClosed() {} }
  const connection = new Connection(channel, events, options)
  await connection.open()
  return { connection, sent, heard, hear: (text: string) => handlers?.onMessage(text) }
}

it('fails the right call if its answer is too long to parse', async () => {
  const { connection, hear, sent } = await connect({})
  const { reply } = connection.send({ method: 'tools/call', envelope: ENVELOPE, timeoutMs: 60_000 })
  const { id } = JSON.parse(sent.at(-1)?.text ?? '') as { id: number }
  let seed = 1
  const next = () => (seed = (seed * 48271) % 2147483647)
  const odd = Array.from({ length: 40_000 }, () => ({ [`a${next()}`]: 1 }))
  hear(say({ id, result: { odd } }))
  expect(await reply).toMatchObject({ kind: 'failure', failure: { kind: 'protocol' } })
  await connection.close()
})

it('keeps handling messages after the gateway failed on one', async () => {
  const faults: unknown[] = []
  let isBroken = true
  const { connection, hear, heard } = await connect({
    screen: {
      checkNotification: params => {
        if (isBroken) throw new TypeError('not again')
        return params
      },
      checkQuestion: params => params,
    },
    onFault: error => faults.push(error),
  })
  hear(NOTE)
  hear(NOTE) // A repeated notification is recognised and takes a faster path.
  expect(faults).toEqual([new TypeError('not again'), new TypeError('not again')])
  isBroken = false
  hear(NOTE)
  expect(heard).toHaveLength(1)
  await connection.close()
})

it('answers a question with an error if the gateway fails on it, and continues the call', async () => {
  const faults: unknown[] = []
  const { connection, hear, sent } = await connect({ onFault: error => faults.push(error) })
  const client = {
    caller: { principal: { id: 'a' }, session: 's' },
    notify() {},
    ask: () => Promise.reject(new TypeError('nobody home')),
  } as unknown as NonNullable<Parameters<Connection['send']>[0]['client']>
  const { reply } = connection.send({ method: 'tools/call', envelope: ENVELOPE, timeoutMs: 0, client })
  hear(say({ id: 'q1', method: 'elicitation/create', params: {} }))
  await expect.poll(() => sent.at(-1)?.text).toContain('"id":"q1"')
  expect(sent.at(-1)?.text).toContain('an internal error')
  expect(faults).toHaveLength(1)
  hear(say({ id: sent[0]?.id, result: {} }))
  expect(await reply).toMatchObject({ kind: 'answer' })
  await connection.close()
})

it('fails the call if the gateway fails on its answer', async () => {
  const faults: unknown[] = []
  const { connection, hear, sent } = await connect({ onFault: error => faults.push(error) })
  const broken = {
    get caller(): never {
      throw new TypeError('no caller')
    },
    notify() {},
  } as unknown as NonNullable<Parameters<Connection['send']>[0]['client']>
  const { reply } = connection.send({ method: 'x', envelope: ENVELOPE, timeoutMs: 0, client: broken })
  hear(say({ id: sent[0]?.id, result: {} }))
  expect(await reply).toBeDefined()
  expect(faults).toEqual([new TypeError('no caller')])
  await connection.close()
})

it('handles only answers in a batch that is longer than any notification may be', async () => {
  const { connection, hear, heard, sent } = await connect({})
  const long = { level: 'info', data: 'x'.repeat(50_000) }
  const { reply } = connection.send({ method: 'x', envelope: ENVELOPE, timeoutMs: 0 })
  const notes = [1, 2, 3].map(() => say({ method: 'notifications/message', params: long }))
  const answer = say({ id: sent[0]?.id, result: { ok: 1 } })
  hear(`[${[...notes, say({ id: 'q1', method: 'ping' }), answer].join(',')}]`)
  expect(await reply).toMatchObject({ kind: 'answer', message: { result: { ok: 1 } } })
  expect(heard).toEqual([])
  expect(sent).toHaveLength(1)
  hear(`[${NOTE},${NOTE}]`)
  expect(heard).toHaveLength(2)
  await connection.close()
})

it('ignores a batch of more than a thousand messages', async () => {
  const { connection, hear, heard, sent } = await connect({})
  hear(`[${Array.from({ length: 1001 }, () => say({ id: 'q', method: 'ping' })).join(',')}]`)
  hear(`[${Array.from({ length: 1001 }, () => NOTE).join(',')}]`)
  expect(heard).toEqual([])
  expect(sent).toEqual([])
  await connection.close()
})

it('ignores a notification that is too long, whatever its first member is', async () => {
  const { connection, hear, heard } = await connect({})
  const params = JSON.stringify({ level: 'info', data: 'x'.repeat(150_000) })
  hear(`{"jsonrpc":"2.0","method":"notifications/message","params":${params}}`)
  hear(`{"jsonrpc":"2.0","params":${params},"method":"notifications/message"}`)
  expect(heard).toEqual([])
  hear(NOTE)
  expect(heard).toHaveLength(1)
  await connection.close()
})

it('does not send a request with a header that is too long', async () => {
  const { connection, sent } = await connect({})
  connection.handshake = {
    era: 'modern',
    protocolVersion: '2026-07-28',
    capabilities: {},
    serverInfo: {},
    isCertain: true,
  }
  const read = (uri: string) =>
    connection.send({ method: 'resources/read', params: { uri }, envelope: ENVELOPE, timeoutMs: 60_000 })
  expect(await read(`file:///${'x'.repeat(9000)}`).reply).toMatchObject({
    kind: 'failure',
    failure: { kind: 'protocol', notSent: true },
  })
  expect(sent).toEqual([])
  read('file:///x')
  expect(sent).toHaveLength(1)
  await connection.close()
})

describe('a cancelled call', () => {
  /** Cancels an open call, and returns it with a check of whether its slot is free. */
  async function cancel() {
    const { connection, hear, sent } = await connect({})
    const call = connection.send({ method: 'tools/call', envelope: ENVELOPE, timeoutMs: 0 })
    const answer = () => hear(say({ id: sent[0]?.id, result: {} }))
    const onDone = vi.fn()
    return { connection, call, answer, onDone }
  }

  it('keeps its slot until the server answers', async () => {
    const { connection, call, answer, onDone } = await cancel()
    call.cancel()
    call.whenDone(onDone)
    expect(onDone).not.toHaveBeenCalled()
    answer()
    expect(onDone).toHaveBeenCalledTimes(1)
    await connection.close()
    expect(onDone).toHaveBeenCalledTimes(1)
  })

  it('frees its slot if the connection is closed or the answer has arrived', async () => {
    const { connection, call, answer, onDone } = await cancel()
    answer()
    call.whenDone(onDone)
    expect(onDone).toHaveBeenCalledTimes(1)
    const other = connection.send({ method: 'tools/call', envelope: ENVELOPE, timeoutMs: 0 })
    other.cancel()
    other.whenDone(onDone)
    await connection.close()
    expect(onDone).toHaveBeenCalledTimes(2)
    other.whenDone(onDone)
    expect(onDone).toHaveBeenCalledTimes(3)
  })
})

it('passes no trace context of callers to servers of either era', async () => {
  const { connection, sent } = await connect({ roots: ['file:///srv'] })
  const roots = [{ uri: 'file:///home/ada' }]
  const params = { name: 'x', arguments: {}, inputResponses: { r: { roots } } }
  connection.send({ method: 'tools/call', params, envelope: ENVELOPE, timeoutMs: 0 })
  expect(sent[0]?.text).toContain('file:///srv')
  expect(sent[0]?.text).not.toContain('/home/ada')
  await connection.close()
})
