import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sendJson } from './answer.ts'

const TEXTS = [
  '{"a":1}',
  '{"b":"é 日本語 🦉"}',
  `{"c":"${'x'.repeat(100_000)}"}`,
  `{"d":"${'ü'.repeat(40_000)}"}`,
]

let server: Server
let waiting: ServerResponse[]

beforeEach(async () => {
  waiting = []
  server = createServer((_req, res) => {
    waiting.push(res)
    server.emit('asked')
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
})
afterEach(() => {
  server.closeAllConnections()
  server.close()
})

/**
 * Sends all requests at the same time, lets `answer` answer them in any order, and returns the bodies in order of
 * arrival.
 */
async function ask(count: number, answer: () => void): Promise<string[]> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  const last = `GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(count - 1) + last)
  while (waiting.length < count) await once(server, 'asked')
  answer()
  const chunks: Buffer[] = []
  for await (const chunk of socket) chunks.push(chunk as Buffer)
  return readBodies(Buffer.concat(chunks))
}

/** Splits the bytes into bodies by each response's content length. */
function readBodies(bytes: Buffer): string[] {
  const bodies: string[] = []
  for (let at = 0; at < bytes.length; ) {
    const headEnd = bytes.indexOf('\r\n\r\n', at)
    const length = Number(/content-length: (\d+)/i.exec(bytes.toString('latin1', at, headEnd))?.[1])
    bodies.push(bytes.toString('utf8', headEnd + 4, headEnd + 4 + length))
    at = headEnd + 4 + length
  }
  return bodies
}

describe('an answer with a JSON body', () => {
  it.each(TEXTS)('arrives complete: %#', async text => {
    const answer = (): void => {
      for (const res of waiting) sendJson(res, 200, text)
    }
    expect(await ask(1, answer)).toEqual([text])
  })

  it('is sent after the answers to earlier requests, whichever is ready first', async () => {
    const backwards = (): void => {
      for (const [at, res] of [...waiting.entries()].toReversed()) sendJson(res, 200, TEXTS[at] ?? '')
    }
    expect(await ask(TEXTS.length, backwards)).toEqual(TEXTS)
  })

  it('is sent once, and not to a client that disconnected', async () => {
    const twice = (): void => {
      for (const res of waiting) for (const text of ['{"first":1}', '{"second":2}']) sendJson(res, 200, text)
    }
    expect(await ask(1, twice)).toEqual(['{"first":1}'])
    const [res] = waiting
    expect(() => res && sendJson(res, 200, '{}')).not.toThrow()
  })
})
