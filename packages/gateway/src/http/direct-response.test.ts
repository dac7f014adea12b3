import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DirectRequest } from './direct-request.ts'
import { DirectResponse } from './direct-response.ts'

describe('a response that is sent before its request is complete', () => {
  let server: Server
  let handle: (req: DirectRequest, res: ServerResponse) => void
  let bytesRead = 0

  beforeEach(async () => {
    handle = (req, res) => {
      req.receive()
      res.writeHead(401).end('who are you?')
    }
    server = createServer({ IncomingMessage: DirectRequest, ServerResponse: DirectResponse }, (req, res) => {
      req.socket.once('close', () => {
        bytesRead = req.socket.bytesRead
      })
      handle(req, res)
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
  })
  afterEach(() => {
    server.closeAllConnections()
    server.close()
  })

  const dial = () => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    const heard = { text: '', error: undefined as Error | undefined }
    socket.setEncoding('latin1').on('data', (part: string) => {
      heard.text += part
    })
    socket.on('error', error => {
      heard.error = error
    })
    return { socket, heard, closed: new Promise(resolve => socket.once('close', resolve)) }
  }
  const head = (...lines: readonly string[]) =>
    `${['POST / HTTP/1.1', 'Host: localhost', ...lines].join('\r\n')}\r\n\r\n`

  it('ends the connection, however much its client still sends', async () => {
    const { socket, heard, closed } = dial()
    socket.write(head('Transfer-Encoding: chunked'))
    const piece = '1\r\nx\r\n'.repeat(10_000)
    let isOver = false
    void closed.then(() => {
      isOver = true
    })
    for (let sent = 0; sent < 1000 && !isOver; sent += 1) {
      if (!socket.write(piece)) await Promise.race([once(socket, 'drain').catch(() => {}), closed])
    }
    await closed
    expect(heard.text).toMatch(/^HTTP\/1.1 401 .*connection: close.*who are you\?/is)
    // Some data was already in transit, but far less than the client could have sent.
    expect(bytesRead).toBeLessThan(3_000_000)
  })

  it('reaches a client that reads only after it has sent everything', async () => {
    const { socket, heard, closed } = dial()
    socket.pause()
    const body = 'x'.repeat(900_000)
    await new Promise(resolve => socket.write(head(`Content-Length: ${body.length}`) + body, resolve))
    await new Promise(resolve => setTimeout(resolve, 200))
    socket.resume()
    await closed
    expect(heard.text).toContain('who are you?')
    expect(heard.error).toBeUndefined()
  })

  it('is not lost to a client that is still sending', async () => {
    const { socket, heard, closed } = dial()
    socket.pause()
    socket.write(head('Transfer-Encoding: chunked'))
    for (let at = 0; at < 5; at += 1) {
      socket.write('5\r\nhello\r\n')
      await new Promise(resolve => setTimeout(resolve, 50))
    }
    socket.resume()
    await closed
    expect(heard.text).toContain('who are you?')
    expect(heard.error).toBeUndefined()
  })

  it('keeps the connection if the content-length shows that the rest of the request is short', async () => {
    const { socket, heard, closed } = dial()
    socket.write(head('Content-Length: 5'))
    await expect.poll(() => heard.text).toContain('who are you?')
    expect(heard.text).toContain('Connection: keep-alive')
    socket.write(`hello${head('Content-Length: 0', 'Connection: close')}`)
    await closed
    expect(heard.text.match(/who are you\?/g)).toHaveLength(2)
  })

  it('ends the connection if the request is no longer read, however short its rest is', async () => {
    handle = (req, res) => {
      req.receive()
      req.takeBody(() => {
        res.writeHead(413).end('enough')
        return false
      })
    }
    const { socket, heard, closed } = dial()
    socket.write(`${head('Content-Length: 500')}some of it`)
    await closed
    expect(heard.text).toMatch(/connection: close.*enough/is)
  })

  it('ends, even if it is endless, when its client keeps sending too much', async () => {
    handle = (req, res) => {
      req.receive()
      res.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
    }
    const { socket, closed } = dial()
    socket.write(head('Transfer-Encoding: chunked'))
    socket.write('1\r\nx\r\n'.repeat(5000))
    await closed
  })

  it('also ends the connection if Node itself sends it, for an unknown expectation', async () => {
    const { socket, heard, closed } = dial()
    socket.write(head('Transfer-Encoding: chunked', 'Expect: a miracle'))
    await closed
    expect(heard.text).toMatch(/^HTTP\/1.1 417 .*connection: close/is)
  })
})
