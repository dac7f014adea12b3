import { describe, expect, it, vi } from 'vitest'
import type { Channel, ChannelHandlers, Outgoing } from '../channel/channel.ts'
import { Connection } from './connection.ts'
import type { ConnectionOptions } from './connection-options.ts'

const ENVELOPE = { capabilities: {} }
const say = (message: object) => JSON.stringify({ jsonrpc: '2.0', ...message })
const NOTE = say({ method: 'notifications/message', params: { level: 'info', data: 'x' } })

/** A connection to nobody: what it hears is said here. */
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

it('knows which call an answer belongs to that nobody takes apart', async () => {
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

it('survives a fault of ours with one message, and the next ones are heard', async () => {
  const faults: unknown[] = []
  let isBroken = true
  const { connection, hear, heard } = await connect({
    screen: {
      said: said => {
        if (isBroken) throw new TypeError('not again')
        return said
      },
      asked: said => said,
    },
    onFault: error => faults.push(error),
  })
  hear(NOTE)
  hear(NOTE) // the second time it is recognised, and goes another way
  expect(faults).toEqual([new TypeError('not again'), new TypeError('not again')])
  isBroken = false
  hear(NOTE)
  expect(heard).toHaveLength(1)
  await connection.close()
})

it('answers a question that we stumbled over, and the call goes on', async () => {
  const faults: unknown[] = []
  const { connection, hear, sent } = await connect({ onFault: error => faults.push(error) })
  const behind = {
    caller: { principal: { id: 'a' }, session: 's' },
    notify() {},
    ask: () => Promise.reject(new TypeError('nobody home')),
  } as unknown as NonNullable<Parameters<Connection['send']>[0]['behind']>
  const { reply } = connection.send({ method: 'tools/call', envelope: ENVELOPE, timeoutMs: 0, behind })
  hear(say({ id: 'q1', method: 'elicitation/create', params: {} }))
  await expect.poll(() => sent.at(-1)?.text).toContain('"id":"q1"')
  expect(sent.at(-1)?.text).toContain('an internal error')
  expect(faults).toHaveLength(1)
  hear(say({ id: sent[0]?.id, result: {} }))
  expect(await reply).toMatchObject({ kind: 'answer' })
  await connection.close()
})

it('lets nobody wait for an answer that we stumbled over', async () => {
  const faults: unknown[] = []
  const { connection, hear, sent } = await connect({ onFault: error => faults.push(error) })
  const broken = {
    get caller(): never {
      throw new TypeError('no caller')
    },
    notify() {},
  } as unknown as NonNullable<Parameters<Connection['send']>[0]['behind']>
  const { reply } = connection.send({ method: 'x', envelope: ENVELOPE, timeoutMs: 0, behind: broken })
  hear(say({ id: sent[0]?.id, result: {} }))
  expect(await reply).toBeDefined()
  expect(faults).toEqual([new TypeError('no caller')])
  await connection.close()
})

it('hears nothing but answers in a batch that is longer than any notification may be', async () => {
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

it('hears nothing at all in a batch of more than a thousand messages', async () => {
  const { connection, hear, heard, sent } = await connect({})
  hear(`[${Array.from({ length: 1001 }, () => say({ id: 'q', method: 'ping' })).join(',')}]`)
  hear(`[${Array.from({ length: 1001 }, () => NOTE).join(',')}]`)
  expect(heard).toEqual([])
  expect(sent).toEqual([])
  await connection.close()
})

it('hears no notification that is too long, whatever its first member is', async () => {
  const { connection, hear, heard } = await connect({})
  const params = JSON.stringify({ level: 'info', data: 'x'.repeat(150_000) })
  hear(`{"jsonrpc":"2.0","method":"notifications/message","params":${params}}`)
  hear(`{"jsonrpc":"2.0","params":${params},"method":"notifications/message"}`)
  expect(heard).toEqual([])
  hear(NOTE)
  expect(heard).toHaveLength(1)
  await connection.close()
})

it('does not send what would have to stand in a header that is too long', async () => {
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

describe('a call that was called off', () => {
  /** One that is under way, and whether its place is free. */
  async function callOff() {
    const { connection, hear, sent } = await connect({})
    const call = connection.send({ method: 'tools/call', envelope: ENVELOPE, timeoutMs: 0 })
    const answer = () => hear(say({ id: sent[0]?.id, result: {} }))
    const letGo = vi.fn()
    return { connection, call, answer, letGo }
  }

  it('keeps its place until the server answers after all', async () => {
    const { connection, call, answer, letGo } = await callOff()
    call.cancel()
    call.whenDone(letGo)
    expect(letGo).not.toHaveBeenCalled()
    answer()
    expect(letGo).toHaveBeenCalledTimes(1)
    await connection.close()
    expect(letGo).toHaveBeenCalledTimes(1)
  })

  it('keeps none on a connection that is closed, nor one whose answer is there', async () => {
    const { connection, call, answer, letGo } = await callOff()
    answer()
    call.whenDone(letGo)
    expect(letGo).toHaveBeenCalledTimes(1)
    const other = connection.send({ method: 'tools/call', envelope: ENVELOPE, timeoutMs: 0 })
    other.cancel()
    other.whenDone(letGo)
    await connection.close()
    expect(letGo).toHaveBeenCalledTimes(2)
    other.whenDone(letGo)
    expect(letGo).toHaveBeenCalledTimes(3)
  })
})

it('tells no server where its callers work, whatever it seems to speak', async () => {
  const { connection, sent } = await connect({ roots: ['file:///srv'] })
  const roots = [{ uri: 'file:///home/ada' }]
  const params = { name: 'x', arguments: {}, inputResponses: { r: { roots } } }
  connection.send({ method: 'tools/call', params, envelope: ENVELOPE, timeoutMs: 0 })
  expect(sent[0]?.text).toContain('file:///srv')
  expect(sent[0]?.text).not.toContain('/home/ada')
  await connection.close()
})
