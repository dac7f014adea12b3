import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Json } from '../../protocol/messages.ts'

export const EVENTS = { 'content-type': 'text/event-stream' }
const GREETING = {
  protocolVersion: '2025-06-18',
  capabilities: { tools: {} },
  serverInfo: { name: 'small', version: '1' },
}

interface Said extends Json {
  readonly id?: number | string
  readonly method?: string
  readonly params?: { readonly name?: string }
}

type Tool = (id: number, res: ServerResponse) => unknown

/** A server that speaks Streamable HTTP of protocol version 2025-06-18. Each test sets its tools. */
export class SmallHttpServer {
  url = ''
  tools: Record<string, Tool> = {}
  onGet: (req: IncomingMessage, res: ServerResponse) => unknown = (_req, res) => res.writeHead(405).end()
  /** Responds to a message that is not a call. */
  onOneWay: (res: ServerResponse) => unknown = res => res.writeHead(202).end()
  /** Number of requests that are open now. */
  open = 0
  readonly #questions = new Map<unknown, (answer: Said) => void>()
  readonly #server = createServer((req, res) => void this.#take(req, res))

  async start(): Promise<this> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/mcp`
    return this
  }

  async stop(): Promise<void> {
    this.#server.close()
    this.#server.closeAllConnections()
    await once(this.#server, 'close')
  }

  /** Sends a question on a call's stream, and returns the answer. */
  ask(res: ServerResponse, method: string): Promise<Said> {
    const id = `q${this.#questions.size}`
    res.write(event({ id, method, params: {} }))
    return new Promise(resolve => this.#questions.set(id, resolve))
  }

  async #take(req: IncomingMessage, res: ServerResponse): Promise<void> {
    this.open += 1
    res.once('close', () => (this.open -= 1))
    if (req.method === 'GET') return void this.onGet(req, res)
    if (req.method === 'DELETE') return void res.writeHead(200).end()
    const said = JSON.parse(await text(req)) as Said
    const { id, method } = said
    if (method === 'initialize') return answer(res, { id, result: GREETING })
    if (method === undefined || typeof id !== 'number') {
      this.#questions.get(id)?.(said)
      return void this.onOneWay(res)
    }
    this.tools[said.params?.name ?? '']?.(id, res)
  }
}

export function event(message: Json, id?: string): string {
  return `${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`
}

export function answer(res: ServerResponse, message: Json): void {
  res
    .writeHead(200, { 'content-type': 'application/json' })
    .end(JSON.stringify({ jsonrpc: '2.0', ...message }))
}
