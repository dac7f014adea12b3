import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { networkFailure } from '../../upstream/http/http-failures.ts'
import { connectTo } from './connect-to.ts'
import type { Exchange, Line } from './exchange.ts'
import { WirePool } from './wire-pool.ts'

let server: Server
let pool: WirePool
/** How the server handles a request with this body; each test sets it. */
let answer: (socket: Socket, body: string) => void
let connections: Socket[]

beforeEach(async () => {
  connections = []
  answer = (socket, body) => socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`)
  server = createServer(socket => {
    connections.push(socket)
    socket.on('error', () => {})
    let text = ''
    socket.on('data', piece => {
      text += piece.toString('latin1')
      const end = text.indexOf('\r\n\r\n')
      const length = Number(/content-length: (\d+)/.exec(text)?.[1])
      const body = text.slice(end + 4)
      if (end < 0 || body.length < length) return
      text = ''
      answer(socket, Buffer.from(body, 'latin1').toString('utf8'))
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  pool = makePool(4)
})
afterEach(async () => {
  pool.destroy()
  for (const socket of connections) socket.destroy()
  server.close()
  await once(server, 'close')
})

function makePool(most: number): WirePool {
  return new WirePool(connectTo(new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)), most)
}

class Asked implements Exchange {
  readonly over: Promise<string>
  line: Line | undefined
  endings = 0
  readonly #pieces: Buffer[] = []
  #resolve: (body: string) => void = () => {}
  #reject: (error: Error) => void = () => {}

  constructor() {
    this.over = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
    this.over.catch(() => {})
  }
  onLine(line: Line): void {
    this.line = line
  }
  onHead(): void {}
  onBody(piece: Buffer): void {
    this.#pieces.push(Buffer.from(piece))
  }
  onEnd(): void {
    this.endings += 1
    this.#resolve(Buffer.concat(this.#pieces).toString('utf8'))
  }
  onError(error: Error): void {
    this.endings += 1
    this.#reject(error)
  }
}

function ask(body: string): Asked {
  const asked = new Asked()
  pool.send({ head: 'POST / HTTP/1.1\r\nhost: x\r\n', body }, asked)
  return asked
}

describe('requests', () => {
  it('use an idle connection', async () => {
    for (const body of ['a', 'b', 'c']) expect(await ask(body).over).toBe(body)
    expect(connections).toHaveLength(1)
  })

  it('carry text of any length', async () => {
    for (const body of ['é😀', 'é'.repeat(40_000), 'x'.repeat(200_000)]) {
      answer = (socket, said) =>
        socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${Buffer.byteLength(said)}\r\n\r\n${said}`)
      expect((await ask(body).over) === body).toBe(true)
    }
  })

  it('wait when all connections are in use, and get their own answers', async () => {
    const bodies = Array.from({ length: 50 }, (_, index) => `body ${index}`)
    expect(await Promise.all(bodies.map(body => ask(body).over))).toEqual(bodies)
    expect(connections).toHaveLength(4)
  })

  it('leave the queue when cancelled, and never reach the server', async () => {
    pool = makePool(1)
    const seen: string[] = []
    const held: Socket[] = []
    answer = (socket, body) => {
      seen.push(body)
      held.push(socket)
    }
    const [first, second, third] = [ask('1'), ask('2'), ask('3')]
    await expect.poll(() => seen).toEqual(['1'])
    second.line?.abort(second, new Error('not wanted'))
    await expect(second.over).rejects.toThrow('not wanted')
    held[0]?.write('HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n1')
    expect(await first.over).toBe('1')
    await expect.poll(() => seen).toEqual(['1', '3'])
    held[1]?.write('HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n3')
    expect(await third.over).toBe('3')
  })

  it('close their own connection when cancelled, but not that of a later request', async () => {
    const first = ask('1')
    expect(await first.over).toBe('1')
    const second = ask('2')
    // The cancellation comes too late: another request now uses the connection.
    first.line?.abort(first, new Error('not wanted'))
    expect(await second.over).toBe('2')
    answer = () => {}
    const third = ask('3')
    third.line?.abort(third, new Error('not wanted'))
    await expect(third.over).rejects.toThrow('not wanted')
    await expect.poll(() => connections[0]?.destroyed).toBe(true)
    expect([first.endings, second.endings, third.endings]).toEqual([1, 1, 1])
  })

  it('fail when the server cannot be reached', async () => {
    const { port } = server.address() as AddressInfo
    const nobody = new WirePool(connectTo(new URL(`http://127.0.0.1:${port}`)), 2)
    server.close()
    await once(server, 'close')
    const asked = Array.from({ length: 5 }, () => {
      const one = new Asked()
      nobody.send({ head: 'POST / HTTP/1.1\r\n', body: '' }, one)
      return one.over
    })
    for (const over of asked) await expect(over).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    const again = new Asked()
    nobody.send({ head: 'POST / HTTP/1.1\r\n', body: 'x' }, again)
    expect(await again.over).toBe('x')
    nobody.destroy()
  })

  it('fail when the pool is closed, whether they are waiting or not', async () => {
    answer = () => {}
    pool = makePool(1)
    const asked = [ask('1'), ask('2')]
    pool.destroy()
    for (const { over } of asked) await expect(over).rejects.toThrow()
    await expect(ask('3').over).rejects.toThrow('closed')
  })
})

describe('a connection is not reused', () => {
  const WHOLE = 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n'

  it.each([
    ['when data follows the response', `${WHOLE}1${WHOLE}X`],
    [
      'when the server announces that it closes it',
      'HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 1\r\n\r\n1',
    ],
    [
      'when the server keeps it open for too short a time',
      'HTTP/1.1 200 OK\r\nKeep-Alive: timeout=1\r\nContent-Length: 1\r\n\r\n1',
    ],
  ])('%s', async (_when, text) => {
    answer = socket => socket.write(text)
    expect(await ask('1').over).toBe('1')
    answer = socket => socket.write(`${WHOLE}2`)
    expect(await ask('2').over).toBe('2')
    expect(connections).toHaveLength(2)
  })

  const LASTING = 'HTTP/1.1 200 OK\r\nKeep-Alive: timeout=600\r\nContent-Length: 1\r\n\r\n'

  it('when unrequested data arrived', async () => {
    answer = socket => socket.write(`${LASTING}1`)
    expect(await ask('1').over).toBe('1')
    connections[0]?.write(`${WHOLE}X`)
    await expect.poll(() => connections[0]?.destroyed).toBe(true)
    expect(await ask('2').over).toBe('1')
    expect(connections).toHaveLength(2)
  })

  it('when the server may already have closed it', async () => {
    answer = socket => socket.write(`${LASTING}1`)
    expect(await ask('1').over).toBe('1')
    const now = performance.now()
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now + 600_000)
    expect(await ask('2').over).toBe('1')
    clock.mockRestore()
    expect(connections).toHaveLength(2)
  })

  it('when the response is malformed', async () => {
    answer = socket => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n11')
    await expect(ask('1').over).rejects.toThrow('its header content-length is repeated')
  })

  it('when the server closes it in the middle of a response', async () => {
    answer = socket => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n1')
    await expect(ask('1').over).rejects.toThrow('the server closed the connection')
    answer = socket => socket.resetAndDestroy()
    await expect(ask('1').over).rejects.toMatchObject({ code: 'ECONNRESET' })
  })

  it('when the server answered before it had read the request', async () => {
    const long = 'x'.repeat(20_000_000)
    server.removeAllListeners('connection')
    server.on('connection', socket => {
      connections.push(socket)
      socket.on('error', () => {})
      socket.pause()
      socket.write(`${WHOLE}1`)
    })
    expect(await ask(long).over).toBe('1')
    expect(await ask(long).over).toBe('1')
    expect(connections).toHaveLength(2)
  })
})

describe('a paused connection', () => {
  it('is read again after the pause', async () => {
    answer = socket => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n1')
    const asked = ask('1')
    asked.onBody = function (this: Asked, piece: Buffer): void {
      Asked.prototype.onBody.call(this, piece)
      this.line?.rest(this, 200)
    }
    await expect.poll(() => connections.length).toBe(1)
    const started = performance.now()
    await new Promise(resolve => setTimeout(resolve, 50))
    connections[0]?.write('2')
    expect(await asked.over).toBe('12')
    expect(performance.now() - started).toBeGreaterThan(100)
    // The connection cannot be reused, because unexpected data might have arrived during the pause.
    answer = socket => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n3')
    expect(await ask('2').over).toBe('3')
    expect(connections).toHaveLength(2)
  })

  it('can be closed during the pause', async () => {
    answer = socket => socket.write('HTTP/1.1 200 OK\r\n\r\n1')
    const asked = ask('1')
    asked.onBody = () => asked.line?.rest(asked, 60_000)
    await expect.poll(() => connections.length).toBe(1)
    await new Promise(resolve => setTimeout(resolve, 50))
    asked.line?.abort(asked, new Error('not wanted'))
    await expect(asked.over).rejects.toThrow('not wanted')
    await expect.poll(() => connections[0]?.destroyed).toBe(true)
  })
})

describe('with any server behaviour and cancellations at any time', () => {
  const after = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))
  const chunked = (body: string): string =>
    `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${[...body]
      .map(letter => `1\r\n${letter}\r\n`)
      .join('')}0\r\n\r\n`
  const sized = (body: string): string => `HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  const interim = (body: string): string => `HTTP/1.1 103 X\r\n\r\n${sized(body)}`

  /** Sends half of a response now; the rest follows later or never. */
  const trickle = async (socket: Socket, text: string): Promise<void> => {
    const cut = Math.floor(Math.random() * text.length)
    socket.write(text.slice(0, cut))
    await after(Math.random() * 4)
    if (Math.random() < 0.2) return void (Math.random() < 0.5 ? socket.end() : socket.resetAndDestroy())
    socket.write(text.slice(cut))
    if (Math.random() < 0.1) socket.end()
  }

  it('every request ends, and none gets the answer of another', async () => {
    const ways = [chunked, sized, interim]
    answer = (socket, body) => void trickle(socket, (ways[Math.floor(Math.random() * 3)] ?? sized)(body))
    const wrong: string[] = []
    const everybody: Asked[] = []
    for (let at = 0; at < 600; at++) {
      const asked = ask(`body ${at}`)
      everybody.push(asked)
      asked.over.then(said => said === `body ${at}` || wrong.push(said)).catch(() => {})
      if (at % 3 === 0) setTimeout(() => asked.line?.abort(asked, new Error('not wanted')), Math.random() * 6)
      if (at % 4 === 0) await after(Math.random() * 3)
    }
    await Promise.allSettled(everybody.map(({ over }) => over))
    await after(20)
    expect(wrong).toEqual([])
    expect(everybody.map(({ endings }) => endings).filter(endings => endings !== 1)).toEqual([])
    // Requests that have ended no longer occupy a connection.
    answer = (socket, body) => socket.write(sized(body))
    const more = Array.from({ length: 20 }, (_, at) => `more ${at}`)
    const answers = await Promise.allSettled(more.map(body => ask(body).over))
    expect(answers.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(15)
    expect(connections.filter(({ destroyed }) => !destroyed).length).toBeLessThanOrEqual(4)
  }, 30_000)
})

describe('a request without a connection', () => {
  it('is reported as not sent, however the connection fails', async () => {
    const resetting = createServer(socket => socket.resetAndDestroy()).listen(0, '127.0.0.1')
    await once(resetting, 'listening')
    const { port } = resetting.address() as AddressInfo
    pool = new WirePool(connectTo(new URL(`https://127.0.0.1:${port}`)), 4)
    const error: unknown = await ask('1').over.catch((reason: unknown) => reason)
    expect(networkFailure(error)).toMatchObject({
      detail: expect.stringContaining('ECONNRESET'),
      notSent: true,
    })
    resetting.close()
  })

  it('differs from a request that was lost after it was sent', async () => {
    answer = socket => socket.resetAndDestroy()
    const error: unknown = await ask('1').over.catch((reason: unknown) => reason)
    expect(networkFailure(error)).toMatchObject({
      detail: expect.stringContaining('ECONNRESET'),
      notSent: false,
    })
  })
})

describe('a response without a length', () => {
  it('ends when the server closes the connection', async () => {
    answer = socket => socket.end('HTTP/1.1 200 OK\r\n\r\nall of it')
    expect(await ask('1').over).toBe('all of it')
  })
})
