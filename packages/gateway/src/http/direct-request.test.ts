import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DirectRequest } from './direct-request.ts'
import { DirectResponse } from './direct-response.ts'
import { readBody } from './read-body.ts'

type Handle = (req: DirectRequest, res: ServerResponse) => void

describe('a directly read request', () => {
  let server: Server
  let handle: Handle
  const bodies: (string | undefined)[] = []
  const MAX = 1000

  const answerBody: Handle = (req, res) => {
    req.receive()
    readBody(req, { maxBytes: MAX, mayGrow: () => true }, text => {
      bodies.push(text)
      if (text === undefined) res.writeHead(413, { connection: 'close' }).end('too long')
      else res.end(`<${text}>`)
    })
  }

  beforeEach(async () => {
    bodies.length = 0
    handle = answerBody
    server = createServer({ IncomingMessage: DirectRequest, ServerResponse: DirectResponse }, (req, res) =>
      handle(req, res),
    )
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
  })
  afterEach(() => {
    server.closeAllConnections()
    server.close()
  })

  /** Writes each piece as a separate segment and returns everything that the server sends. */
  const talk = async (...pieces: readonly string[]): Promise<string> => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').setEncoding('utf8')
    let said = ''
    socket.on('data', (piece: string) => {
      said += piece
    })
    const closed = once(socket, 'close')
    socket.on('error', () => {})
    for (const piece of pieces) {
      await new Promise<void>(resolve => socket.write(piece, () => setImmediate(resolve)))
    }
    await closed
    return said
  }
  const head = (...lines: readonly string[]) =>
    `${['POST / HTTP/1.1', 'Host: localhost', ...lines].join('\r\n')}\r\n\r\n`
  const LAST = 'Connection: close'

  it('has its body, in one piece or many', async () => {
    expect(await talk(`${head('Content-Length: 5', LAST)}hello`)).toContain('<hello>')
    expect(await talk(head('Content-Length: 5', LAST), 'he', 'llo')).toContain('<hello>')
    expect(await talk(head('Transfer-Encoding: chunked', LAST), '3\r\nh\u00e9\r\n', '0\r\n\r\n')).toContain(
      '<h\u00e9>',
    )
    expect(await talk(head('Content-Length: 0', LAST))).toContain('<>')
    expect(await talk(head(LAST))).toContain('<>')
  })

  it('has its body even if the body arrived before it was read', async () => {
    handle = (req, res) => void once(req, 'readable').then(() => answerBody(req, res))
    expect(await talk(`${head('Content-Length: 5', LAST)}hello`)).toContain('<hello>')
    handle = (req, res) => void setImmediate(() => answerBody(req, res))
    expect(await talk(`${head('Content-Length: 5', LAST)}hello`)).toContain('<hello>')
    expect(await talk(head('Content-Length: 0', LAST))).toContain('<>')
  })

  it('can be followed by pipelined requests on its connection', async () => {
    const one = `${head('Content-Length: 3')}one`
    const said = await talk(`${one}${head('Content-Length: 3')}two${head('Content-Length: 5', LAST)}three`)
    expect(said.match(/<\w+>/g)).toEqual(['<one>', '<two>', '<three>'])
  })

  it('is refused when it is too long, without reading all of it', async () => {
    const said = await talk(head('Content-Length: 5000'), 'x'.repeat(MAX), 'x'.repeat(MAX))
    expect(said).toContain('413')
    expect(bodies).toEqual([undefined])
  })

  it('can arrive in a few short pieces, but not in too many', async () => {
    const inPieces = (count: number) =>
      talk(head('Transfer-Encoding: chunked', LAST) + '1\r\nx\r\n'.repeat(count), '0\r\n\r\n')
    expect(await inPieces(60)).toContain(`<${'x'.repeat(60)}>`)
    expect(await inPieces(200)).toContain('413')
    expect(bodies).toEqual(['x'.repeat(60), undefined])
  })

  it('counts a short piece as half a kilobyte of its caller’s share', async () => {
    const grown: number[] = []
    handle = (req, res) => {
      req.receive()
      const mayGrow = (bytes: number) => grown.push(bytes) > 0
      readBody(req, { maxBytes: MAX, mayGrow }, text => res.end(`<${text}>`))
    }
    await talk(head('Content-Length: 607', LAST), 'first', 'x', 'y'.repeat(601))
    expect(grown).toEqual([512, 601])
  })

  it('delivers what arrived early in one piece, and then the rest', async () => {
    const pieces: (string | undefined)[] = []
    handle = (req, res) => {
      const take = () =>
        req.takeBody(piece => {
          pieces.push(piece?.toString())
          if (piece === null) res.end('taken')
          return true
        })
      setTimeout(take, 100)
    }
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').resume()
    socket.write(head('Transfer-Encoding: chunked', LAST) + '1\r\nx\r\n'.repeat(500))
    setTimeout(() => socket.write('2\r\nyz\r\n0\r\n\r\n'), 50)
    await once(socket, 'close')
    expect(pieces).toEqual(['x'.repeat(500), 'yz', undefined])
  })

  it('is not answered if its client disconnects before the end', async () => {
    const closed = new Promise<void>(resolve => {
      handle = (req, res) => {
        res.once('close', resolve)
        answerBody(req, res)
      }
    })
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    socket.write(`${head('Content-Length: 5')}he`, () => socket.destroy())
    await closed
    expect(bodies).toEqual([])
  })

  it('needs a Host header, can use Expect: 100-continue, and can be HTTP/1.0', async () => {
    expect(await talk('POST / HTTP/1.1\r\nConnection: close\r\n\r\n')).toMatch(/^HTTP\/1.1 400/)
    const expecting = head('Content-Length: 5', 'Expect: 100-continue', LAST)
    expect(await talk(expecting, 'hello')).toMatch(/^HTTP\/1.1 100 Continue.*<hello>/s)
    expect(await talk(head('Expect: a miracle', LAST))).toMatch(/^HTTP\/1.1 417/)
    expect(await talk('POST / HTTP/1.0\r\nContent-Length: 5\r\n\r\nhello')).toContain('<hello>')
  })

  it('provides the headers that are checked first, then all of them', async () => {
    let known: unknown
    handle = (req, res) => {
      known = req.receive()
      res.end(`${String(req.headers['x-other'])} ${String(req.headers.host)}`)
    }
    expect(await talk(head('X-Other: yes', 'Mcp-Name: a', LAST))).toContain('yes localhost')
    expect(known).toMatchObject({ host: 'localhost', 'mcp-name': 'a' })
    expect(await talk(head('Host: localhost', LAST))).toContain('undefined localhost')
    expect(known).toBe('host')
  })
})
