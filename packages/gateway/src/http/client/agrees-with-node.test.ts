import { once } from 'node:events'
import { request } from 'node:http'
import { type AddressInfo, createServer, type Server } from 'node:net'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { connectTo } from './connect-to.ts'
import type { ResponseHead } from './exchange.ts'
import { WirePool } from './wire-pool.ts'

let server: Server
let port: number
/** The bytes that the server sends before it closes the connection. */
let said = Buffer.alloc(0)

beforeAll(async () => {
  server = createServer(socket => {
    socket.on('error', () => {})
    socket.once('data', () => socket.end(said))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  port = (server.address() as AddressInfo).port
})
afterAll(() => void server.close())

type Read = { readonly status: number; readonly body: string } | 'refused'

function askByNode(): Promise<Read> {
  return new Promise(resolve => {
    const asked = request({ port, host: '127.0.0.1', method: 'POST', agent: false }, response => {
      const pieces: Buffer[] = []
      response.on('data', (piece: Buffer) => pieces.push(piece))
      response.on('error', () => setImmediate(resolve, 'refused'))
      response.on('end', () =>
        resolve(
          response.complete
            ? { status: response.statusCode ?? 0, body: Buffer.concat(pieces).toString('latin1') }
            : 'refused',
        ),
      )
    })
    // Node reports data after the response as an error, too, before the response ends.
    asked.on('error', () => setImmediate(resolve, 'refused'))
    asked.end('x')
  })
}

function askByWire(): Promise<Read> {
  const pool = new WirePool(connectTo(new URL(`http://127.0.0.1:${port}`)), 1)
  return new Promise<Read>(resolve => {
    const pieces: Buffer[] = []
    let status = 0
    pool.send(
      { head: 'POST / HTTP/1.1\r\nhost: x\r\n', body: 'x' },
      {
        onLine() {},
        onHead(head: ResponseHead) {
          status = head.status
        },
        onBody: piece => pieces.push(Buffer.from(piece)),
        onEnd: () => resolve({ status, body: Buffer.concat(pieces).toString('latin1') }),
        onError: () => resolve('refused'),
      },
    )
  }).finally(() => pool.destroy())
}

const line = fc.constantFrom(
  'Content-Length: 5',
  'Content-Length: 11',
  'content-length:5',
  'Content-Length: 05',
  'Content-Length: 5 ',
  'Content-Length: 5,5',
  'Transfer-Encoding: chunked',
  'Transfer-Encoding: CHUNKED',
  'Transfer-Encoding: identity',
  'Transfer-Encoding: chunked, chunked',
  'Transfer-Encoding : chunked',
  'Connection: close',
  'X: \u00e9',
  'X:',
  ' folded',
)
const status = fc.constantFrom(
  'HTTP/1.1 200 OK',
  'HTTP/1.1 204',
  'HTTP/1.0 200 OK',
  'HTTP/1.1 404 ',
  'HTTP/1.1 304 X',
)
const lineEnd = fc.constantFrom('\r\n', '\r\n', '\r\n', '\r\n', '\n')
const body = fc.constantFrom(
  'hello',
  'hello world',
  '5\r\nhello\r\n0\r\n\r\n',
  '5;a=b\r\nhello\r\n0\r\nA: b\r\n\r\n',
  '5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n',
  '5\nhello\n0\n\n',
  '05\r\nhello\r\n0\r\n\r\n',
  '5 \r\nhello\r\n0\r\n\r\n',
  '0x5\r\nhello\r\n0\r\n\r\n',
  '',
)

it('accepts no response that Node reads differently', async () => {
  let agreed = 0
  await fc.assert(
    fc.asyncProperty(
      status,
      fc.array(line, { maxLength: 3 }),
      lineEnd,
      body,
      async (first, lines, end, rest) => {
        said = Buffer.from([first, ...lines, '', rest].join(end), 'latin1')
        const ours = await askByWire()
        if (ours === 'refused') return
        expect(ours).toEqual(await askByNode())
        agreed += 1
      },
    ),
    { numRuns: 2000 },
  )
  // Makes sure that the two clients accepted enough responses for the comparison to mean something.
  expect(agreed).toBeGreaterThan(50)
})
