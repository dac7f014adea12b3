import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Channel, ChannelHandlers, Outgoing } from './channel/channel.ts'
import { Connection } from './connection/connection.ts'
import type { Ask, AskAnswer } from './connection/upstream-request.ts'

let handlers: ChannelHandlers
let sent: Outgoing[]
let heard: string[]
let connection: Connection

beforeEach(async () => {
  sent = []
  heard = []
  const channel: Channel = {
    async open(to) {
      handlers = to
    },
    send(message) {
      sent.push(message)
      return undefined
    },
    async close() {},
  }
  const onEvent = ({ method }: { method: string }): void => void heard.push(method)
  connection = new Connection(channel, { onEvent, onClosed() {} })
  await connection.open()
})
afterEach(() => connection.close())

function call(ask?: (ask: Ask) => Promise<AskAnswer>) {
  const caller = { session: 's', principal: { id: 'p' } }
  const client = { caller, notify() {}, ...(ask === undefined ? {} : { ask }) }
  return connection.send({ method: 'tools/call', envelope: { capabilities: {} }, timeoutMs: 60_000, client })
}

const notification = (data: string) =>
  JSON.stringify({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data } })

describe('a message from a server', () => {
  it('never causes a pause if it is an answer', () => {
    const sentOff = Array.from({ length: 5000 }, () => call())
    const pauses = sentOff.map((_, at) => handlers.onMessage(`{"jsonrpc":"2.0","id":${at + 1},"result":{}}`))
    expect(pauses.filter(ms => ms > 0)).toEqual([])
  })

  it('causes no pause if it answers a cancelled call, once', () => {
    const long = 'x'.repeat(10_000_000)
    call().cancel()
    const late = `{"jsonrpc":"2.0","id":1,"result":{"content":"${long}"}}`
    expect(handlers.onMessage(late)).toBe(0)
    expect(handlers.onMessage(late)).toBeGreaterThan(1000)
  })

  it.each([
    ['notifications', notification('x')],
    ['questions', '{"jsonrpc":"2.0","id":"a","method":"ping"}'],
    ['answers to nothing', '{"jsonrpc":"2.0","id":7,"result":{}}'],
    ['nonsense', '{'],
    ['nothing', ' '],
  ])('causes a pause if there are thousands of %s', (_what, text) => {
    let pauseMs = 0
    for (let at = 0; at < 5000; at++) pauseMs = handlers.onMessage(text)
    expect(pauseMs).toBeGreaterThan(500)
  })

  it.each([
    [`{${Array.from({ length: 100_001 }, (_, at) => `"k${at}":1`).join(',')}}`, '100000 different names'],
    ['{', 'not JSON'],
    ['[1]', 'not JSON-RPC'],
  ])('fails the call with the reason if it is not an answer (%#)', async (text, what) => {
    const { reply } = call()
    handlers.onMessage(text, 1)
    expect(await reply).toMatchObject({
      failure: { kind: 'protocol', detail: expect.stringContaining(what) },
    })
  })

  it('is ignored if it is far too long, and fails no call', async () => {
    const { reply } = call()
    handlers.onMessage(notification('x'.repeat(2_000_000)))
    handlers.onMessage(notification('short'))
    expect(heard).toEqual(['notifications/message'])
    handlers.onMessage('{"jsonrpc":"2.0","id":1,"result":{}}')
    expect((await reply).kind).toBe('answer')
  })
})

describe('questions from a server to people', () => {
  it('are limited in number', async () => {
    let asked = 0
    const never = new Promise<AskAnswer>(() => {})
    call(() => {
      asked += 1
      return never
    })
    const params = { message: 'x'.repeat(100_000) }
    for (let id = 0; id < 200; id++)
      handlers.onMessage(JSON.stringify({ jsonrpc: '2.0', id, method: 'elicitation/create', params }), 1)
    await expect
      .poll(() => sent.filter(({ text }) => text.includes('too many questions')).length)
      .toBe(200 - asked)
    expect(asked).toBeGreaterThan(50)
    expect(asked).toBeLessThan(100)
  })

  it('make room for others once they are answered', async () => {
    let asked = 0
    call(async () => {
      asked += 1
      return { result: {} }
    })
    for (let id = 0; id < 3000; id++) {
      handlers.onMessage(JSON.stringify({ jsonrpc: '2.0', id, method: 'elicitation/create', params: {} }), 1)
      await Promise.resolve()
    }
    await expect.poll(() => asked).toBe(3000)
  })
})
