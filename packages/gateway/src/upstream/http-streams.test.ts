import type { ServerResponse } from 'node:http'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { AskAnswer } from './connection/upstream-request.ts'
import { callTool, reach } from './test-support/reach.ts'
import { answer, EVENTS, event, SmallHttpServer } from './test-support/small-http-server.ts'
import type { UpstreamServer } from './upstream-server.ts'

let server: SmallHttpServer
let upstream: UpstreamServer

beforeEach(async () => {
  server = await new SmallHttpServer().start()
  server.tools.ping = (id, res) => answer(res, { id, result: {} })
  upstream = reach({ kind: 'http', url: server.url, headers: {} }, { concurrency: 2 })
})
afterEach(async () => {
  await upstream.stop()
  await server.stop()
})

describe('the connections of calls', () => {
  it('are released even if a resumed stream stays open after the answer', async () => {
    server.tools.poll = (id, res) => res.writeHead(200, EVENTS).end(`id: e${id}\nretry: 0\ndata: \n\n`)
    server.onGet = ({ headers }, res) => {
      const id = headers['last-event-id']?.slice(1)
      if (id === undefined) res.writeHead(405).end()
      else res.writeHead(200, EVENTS).write(event({ id: Number(id), result: {} }))
    }
    for (let at = 0; at < 4; at++) expect((await callTool(upstream, 'poll').reply).kind).toBe('answer')
    await expect.poll(() => server.open).toBe(0)
  })
})

describe('calls that wait for people', () => {
  it('leave room for their answers, and for the calls of others', async () => {
    server.tools.confirm = async (id, res) => {
      res.writeHead(200, EVENTS)
      await server.ask(res, 'elicitation/create')
      res.end(event({ id, result: {} }))
    }
    let decide = (_answer: AskAnswer): void => {}
    const decided = new Promise<AskAnswer>(resolve => {
      decide = resolve
    })
    let asked = 0
    const ask = (): Promise<AskAnswer> => {
      asked += 1
      return decided
    }
    const calls = Array.from({ length: 20 }, () => callTool(upstream, 'confirm', { ask }))
    await expect.poll(() => asked).toBe(20)
    const ping = callTool(upstream, 'ping', { who: 'bob', timeoutMs: 3000 })
    expect((await ping.reply).kind).toBe('answer')
    decide({ result: { action: 'decline' } })
    for (const { reply } of calls) expect((await reply).kind).toBe('answer')
  })
})

describe('endless answers on resumed streams', () => {
  it('are cut off before they take too much memory together', async () => {
    const resultBytes = 100_000
    const other = reach({ kind: 'http', url: server.url, headers: {} }, {}, { resultBytes })
    server.tools.poll = (id, res) => res.writeHead(200, EVENTS).end(`id: e${id}\nretry: 0\ndata: \n\n`)
    server.onGet = (_req, res) => res.writeHead(200, EVENTS).write(`data: ${'x'.repeat(0.9 * resultBytes)}`)
    const calls = Array.from({ length: 16 }, () => callTool(other, 'poll'))
    const first = await Promise.race(calls.map(({ reply }) => reply))
    expect(first).toMatchObject({
      kind: 'failure',
      failure: { detail: expect.stringContaining('too many bytes') },
    })
    await other.stop()
  })
})

describe('a server that asks many questions and does not read the answers', () => {
  it('gets few connections for answers, and keeps others for its calls', async () => {
    server.tools.ask = (id, res) => {
      res.writeHead(200, EVENTS)
      for (let at = 0; at < 100; at++) void server.ask(res, 'ping')
      res.end(event({ id, result: {} }))
    }
    server.onOneWay = () => {}
    await callTool(upstream, 'ask').reply
    await expect.poll(() => server.open).toBeGreaterThanOrEqual(10)
    expect((await callTool(upstream, 'ping', { timeoutMs: 3000 }).reply).kind).toBe('answer')
    await expect.poll(() => server.open).toBe(10)
  })
})

describe('a call during which the server sends far too much', () => {
  const params = { level: 'debug', data: 'x'.repeat(60_000) }
  const log = event({ method: 'notifications/message', params })
  const LINES = 288
  /** A number of messages just below what the limit allows at once. */
  const SOME = 30
  /** A message that shares its chunk with others is charged together with them. */
  const GAP = `: ${' '.repeat(200_000)}\n\n`

  beforeEach(() => {
    server.tools.loud = (id, res) => {
      res.writeHead(200, EVENTS)
      for (let line = 0; line < LINES; line++) res.write(log)
      res.end(GAP + event({ id, result: {} }))
    }
    server.tools.steps = (id, res) => {
      const step = event({ method: 'notifications/progress', params: { progressToken: id, progress: 1 } })
      res.writeHead(200, EVENTS).end(step + GAP + step + GAP + event({ id, result: {} }))
    }
  })

  it('gets its answer in time, although the gateway pauses reading', async () => {
    const since = performance.now()
    const reply = await callTool(upstream, 'loud', { timeoutMs: 3000 }).reply
    expect(reply.kind).toBe('answer')
    expect(performance.now() - since).toBeGreaterThan(4500)
  })

  it('delays no other call', async () => {
    let heard = 0
    await new Promise<void>(resolve => {
      const onNotification = (): void => {
        heard += 1
        if (heard === SOME) resolve()
      }
      callTool(upstream, 'loud', { onNotification })
    })
    const steps = callTool(upstream, 'steps', { who: 'bob' })
    expect((await steps.reply).kind).toBe('answer')
    // The server that sends too much must be paused before the gateway has read everything.
    expect(heard).toBeLessThan(LINES)
  })
})

describe('the stream of messages that belong to no call', () => {
  const NEWS = 'data: {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}\n\n'

  /** Requests the stream, with these responses one after the other. */
  async function askedFor(...answers: ((res: ServerResponse) => unknown)[]): Promise<unknown[]> {
    const positions: unknown[] = []
    await new Promise<void>(resolve => {
      server.onGet = ({ headers }, res) => {
        positions.push(headers['last-event-id'])
        const next = answers.shift()
        if (next !== undefined) return next(res)
        res.writeHead(200, EVENTS).flushHeaders()
        return resolve()
      }
      void upstream.ready()
    })
    return positions
  }
  const openStream = (res: ServerResponse) => res.writeHead(200, EVENTS)

  it.each([503, 500, 429, 302])('is requested again after HTTP status %i', async status => {
    const positions = await askedFor(
      res => openStream(res).end(`retry: 0\nid: e1\n${NEWS}`),
      res => res.writeHead(status).end(),
    )
    expect(positions).toEqual([undefined, 'e1', 'e1'])
  })

  it('is requested without an event id that does not fit into a header', async () => {
    const positions = await askedFor(
      res => openStream(res).end(`retry: 0\nid: →\n${NEWS}`),
      res => openStream(res).end(`id: e1\n${NEWS}id: →\n${NEWS}`),
    )
    expect(positions).toEqual([undefined, undefined, 'e1'])
  })

  it('resumes where it broke', async () => {
    const positions = await askedFor(res =>
      openStream(res).write(`retry: 0\nid: e7\n${NEWS}`, () => res.socket?.end()),
    )
    expect(positions).toEqual([undefined, 'e7'])
  })
})
