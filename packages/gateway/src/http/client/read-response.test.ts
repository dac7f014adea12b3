import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import type { ResponseHead } from './exchange.ts'
import { ResponseReader } from './read-response.ts'

interface Read {
  head?: ResponseHead
  body: string
  used: number
  reader: ResponseReader
}

function read(pieces: readonly (string | Buffer)[]): Read {
  const heads: ResponseHead[] = []
  const parts: Buffer[] = []
  const reader = new ResponseReader({
    onHead: head => heads.push(head),
    onBody: piece => parts.push(Buffer.from(piece)),
  })
  let used = 0
  for (const piece of pieces) used += reader.feed(Buffer.from(piece as string, 'latin1'))
  expect(heads.length).toBeLessThanOrEqual(1)
  const body = Buffer.concat(parts).toString('latin1')
  return { ...(heads[0] === undefined ? {} : { head: heads[0] }), body, used, reader }
}

const OK = 'HTTP/1.1 200 OK\r\n'
const CHUNKED = `${OK}Transfer-Encoding: chunked\r\n\r\n`

describe('a response', () => {
  it('is as long as its content-length', () => {
    const { head, body, reader } = read([`${OK}Content-Type: a/b\r\nContent-Length: 5\r\n\r\nhello`])
    expect(head).toMatchObject({
      status: 200,
      headers: new Map([
        ['content-type', 'a/b'],
        ['content-length', '5'],
      ]),
    })
    expect(body).toBe('hello')
    expect(reader.isDone).toBe(true)
  })

  it('is assembled from chunks', () => {
    const { body, reader } = read([`${CHUNKED}5\r\nhello\r\n6;x=y\r\n world\r\n0\r\nTrailer: 1\r\n\r\n`])
    expect(body).toBe('hello world')
    expect(reader.isDone).toBe(true)
  })

  it('without a length ends when the server closes the connection', () => {
    const { body, reader } = read([`${OK}\r\nhel`, 'lo'])
    expect(body).toBe('hello')
    expect(reader.isDone).toBe(false)
    expect(reader.end()).toBe(true)
    expect(reader.keepMs).toBeUndefined()
  })

  it('is incomplete when the server closes the connection too early', () => {
    expect(read([`${OK}Content-Length: 6\r\n\r\nhello`]).reader.end()).toBe(false)
    expect(read([`${CHUNKED}5\r\nhello\r\n`]).reader.end()).toBe(false)
    expect(read([OK]).reader.end()).toBe(false)
  })

  it.each([204, 304])('has no body if its status is %i', status => {
    const { reader, used } = read([`HTTP/1.1 ${status} X\r\nContent-Length: 5\r\n\r\nhello`])
    expect(reader.isDone).toBe(true)
    expect(used).toBeLessThan(50)
  })

  it('can follow interim responses, but only those of the expected kinds', () => {
    const early = 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'
    expect(read([early, early, `${OK}Content-Length: 0\r\n\r\n`]).head?.status).toBe(200)
    expect(() => read([early.repeat(9)])).toThrow('unexpected interim response')
    expect(() => read(['HTTP/1.1 101 Switching Protocols\r\n\r\n'])).toThrow('unexpected interim response')
  })

  it('can have any number of blanks around header values', () => {
    const blanks = ' \t'.repeat(3000)
    const { head, body } = read([`${OK}X:\r\nContent-Length:${blanks}5${blanks}\r\n\r\nhello`])
    expect([body, head?.headers.get('x'), head?.headers.get('content-length')]).toEqual(['hello', '', '5'])
  })

  it('ends before the data that follows it', () => {
    const whole = `${OK}Content-Length: 5\r\n\r\nhello`
    expect(read([`${whole}HTTP/1.1 200 OK`]).used).toBe(whole.length)
  })

  it.each([
    ['Keep-Alive: timeout=5', 4000],
    ['Keep-Alive: timeout=99999', 600_000],
    ['Keep-Alive: max=3, timeout=2', 1000],
    ['Keep-Alive: timeout=1', undefined],
    ['Connection: Close', undefined],
    ['X: y', 4000],
  ])('tells how long the connection is kept open: %j', (line, keepMs) => {
    expect(read([`${OK}${line}\r\nContent-Length: 0\r\n\r\n`]).reader.keepMs).toBe(keepMs)
  })

  it('of HTTP/1.0 keeps the connection only if its headers say so', () => {
    const old = 'HTTP/1.0 200 OK\r\nContent-Length: 0\r\n'
    expect(read([`${old}\r\n`]).reader.keepMs).toBeUndefined()
    expect(read([`${old}Connection: keep-alive\r\n\r\n`]).reader.keepMs).toBe(4000)
  })

  it('of HTTP/1.0 can be chunked, but closes the connection', () => {
    const old = 'HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\nConnection: keep-alive\r\n\r\n'
    const { body, reader } = read([`${old}5\r\nhello\r\n0\r\n\r\n`])
    expect([body, reader.keepMs]).toEqual(['hello', undefined])
  })

  it('in very small chunks is delivered in few pieces', () => {
    const onBody = vi.fn()
    const reader = new ResponseReader({ onHead() {}, onBody })
    reader.feed(Buffer.from(CHUNKED))
    for (let at = 0; at < 100; at++) reader.feed(Buffer.from('1\r\nx\r\n'.repeat(10_000)))
    expect(onBody).toHaveBeenCalledTimes(100)
    expect(onBody.mock.calls[99]?.[0].toString()).toBe('x'.repeat(10_000))
  })

  it('gives the same result however it is split', () => {
    const texts = [
      `${OK}Content-Length: 11\r\nMcp-Session-Id: s\r\n\r\nhello world`,
      `HTTP/1.1 100 Continue\r\n\r\n${CHUNKED}5\r\nhello\r\n6\r\n world\r\n0\r\nA: b\r\n\r\n`,
    ]
    const cuts = fc.array(fc.nat(200), { maxLength: 20 })
    fc.assert(
      fc.property(fc.constantFrom(...texts), cuts, (text, places) => {
        const sorted = [...new Set([0, ...places.filter(place => place < text.length)])].sort((a, b) => a - b)
        const pieces = sorted.map((from, index) => text.slice(from, sorted[index + 1]))
        const { body, head, reader, used } = read(pieces)
        expect([body, head?.status, reader.isDone, used]).toEqual(['hello world', 200, true, text.length])
      }),
    )
  })
})

describe('a malformed response', () => {
  it.each([
    ['two content-length headers', `${OK}Content-Length: 5\r\nContent-Length: 5\r\n\r\nhello`],
    ['two lengths in one header', `${OK}Content-Length: 5, 5\r\n\r\nhello`],
    ['a length with a sign', `${OK}Content-Length: +5\r\n\r\nhello`],
    ['a hexadecimal length', `${OK}Content-Length: 0x5\r\n\r\nhello`],
    ['a negative length', `${OK}Content-Length: -1\r\n\r\n`],
    ['an empty length', `${OK}Content-Length:\r\n\r\n`],
    ['a length and chunks', `${OK}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ['chunks of another coding', `${OK}Transfer-Encoding: gzip, chunked\r\n\r\n`],
    ['chunked twice', `${OK}Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n`],
    ['a folded line', `${OK}A: b\r\n c\r\n\r\n`],
    ['a name followed by a blank', `${OK}Content-Length : 5\r\n\r\nhello`],
    ['a line without a colon', `${OK}nothing\r\n\r\n`],
    ['a header without a name', `${OK}: x\r\n\r\n`],
    ['a bare line feed in the head', `${OK}A: b\nContent-Length: 3\r\n\r\n`],
    ['a bare carriage return in the head', `${OK}A: b\rC: d\r\n\r\n`],
    ['a NUL in the head', `${OK}A: \0\r\n\r\n`],
    [
      'a bare line feed before a value',
      `${OK}X:\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\nhello`,
    ],
    ['a bare line feed after a value', `${OK}X: a\n\r\nContent-Length: 5\r\n\r\nhello`],
    ['a bare carriage return after a value', `${OK}Content-Length: 5\r\r\n\r\nhello`],
    ['a vertical tab before a value', `${OK}Transfer-Encoding: \x0bchunked\r\n\r\n0\r\n\r\n`],
    ['a no-break space before a value', `${OK}Content-Length: \xa05\r\n\r\nhello`],
    ['a bare line feed in the first line', 'HTTP/1.1 200 OK\nA: b\r\nContent-Length: 5\r\n\r\nhello'],
    ['a NUL in the first line', 'HTTP/1.1 200 O\0K\r\nContent-Length: 5\r\n\r\nhello'],
    ['a bare line feed after a chunk size', `${CHUNKED}5;\nx\r\nhello\r\n0\r\n\r\n`],
    ['a bare line feed in a trailer', `${CHUNKED}0\r\nA: b\n\nHTTP/1.1 200 OK\r\n\r\n`],
    ['a chunk without a size', `${CHUNKED}\r\nhello`],
    ['a chunk with an invalid size', `${CHUNKED}5x\r\nhello`],
    ['a chunk with an excessive size', `${CHUNKED}123456789\r\nhello`],
    ['a chunk longer than its size', `${CHUNKED}5\r\nhelloX\r\n`],
    ['another protocol', 'HTTP/2 200\r\n\r\n'],
    ['no protocol', 'hello\r\n\r\n'],
    ['a status of two digits', 'HTTP/1.1 20 OK\r\n\r\n'],
    ['a status below 100', 'HTTP/1.1 000 OK\r\n\r\n'],
  ])('is %s', (_name, text) => {
    expect(() => read([text])).toThrow('the response is not valid HTTP')
    expect(() => read([...text])).toThrow('the response is not valid HTTP')
  })

  it('is refused when its head does not end', () => {
    expect(() => read([`${OK}A: ${'x'.repeat(20_000)}`])).toThrow('too long')
    expect(() => read(Array.from({ length: 20_000 }, () => 'x'))).toThrow('too long')
    expect(() => read([`${OK}A: ${'x'.repeat(20_000)}\r\n\r\n`])).toThrow('too long')
  })

  it('is refused when its trailer does not end', () => {
    expect(() =>
      read([`${CHUNKED}0\r\n`, ...Array.from({ length: 20 }, () => `A: ${'x'.repeat(1000)}\r\n`)]),
    ).toThrow('trailers or chunk extensions are too long')
  })

  it('is refused when its chunk extensions grow without limit', () => {
    const piece = `1;${'x'.repeat(100)}\r\nx\r\n`
    expect(read([CHUNKED, piece.repeat(100)]).body).toBe('x'.repeat(100))
    expect(() => read([CHUNKED, piece.repeat(200)])).toThrow('trailers or chunk extensions are too long')
  })

  it('never causes another error or a wrong byte count', () => {
    const token = fc.constantFrom(
      OK,
      '\r\n',
      '\r\n\r\n',
      '\n',
      'Content-Length: 3',
      'Transfer-Encoding: chunked',
      'abc',
      '0',
      '3',
      ':',
      ' ',
      '\0',
    )
    fc.assert(
      fc.property(fc.array(token, { maxLength: 12 }), tokens => {
        const text = tokens.join('')
        let seen: Read | undefined
        try {
          seen = read([text])
        } catch (error) {
          expect((error as Error).message).toContain('the response is not valid HTTP')
        }
        if (seen !== undefined) expect(seen.used).toBeLessThanOrEqual(text.length)
      }),
      { numRuns: 2000 },
    )
  })
})
