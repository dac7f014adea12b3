import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { later } from './clean-up.ts'
import { Inbox } from './inbox.ts'

export interface Received {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  readonly text: string
}

export interface Reply {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** A real HTTP server that keeps what it gets, and answers as the test says. */
export class Receiver {
  readonly inbox: Inbox<Received>
  /** Called for every request. Undefined: it never answers. */
  answer: (received: Received) => Reply | undefined = () => ({ status: 200 })
  #server: Server | undefined
  #port = 0

  constructor(name: string) {
    this.inbox = new Inbox(name)
    later(() => this.stop())
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`
  }

  /** On the same port as before. */
  async start(): Promise<this> {
    const server = createServer((req, res) => {
      const pieces: Buffer[] = []
      req.on('data', (piece: Buffer) => pieces.push(piece))
      req.on('end', () => {
        const body = Buffer.concat(pieces)
        const { method = '', url: path = '', headers } = req
        const received = { method, path, headers, body, text: body.toString() }
        const reply = this.answer(received)
        this.inbox.add(received)
        if (reply !== undefined) res.writeHead(reply.status, reply.headers).end(reply.body ?? '')
      })
    })
    await new Promise<void>(resolve => server.listen(this.#port, '127.0.0.1', resolve))
    this.#port = (server.address() as AddressInfo).port
    this.#server = server
    return this
  }

  stop(): void {
    this.#server?.closeAllConnections()
    this.#server?.close()
    this.#server = undefined
  }
}
