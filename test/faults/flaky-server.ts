import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { later } from '../support/clean-up.ts'
import { findFreePort } from '../support/free-port.ts'
import type { Json, Message } from '../support/raw-mcp.ts'

/** The fate of a call: answered, cut off (then the server closes), left hanging, or a proxy's status. */
type Fate = 'answer' | 'fail' | 'cut' | 'leave' | 'hang' | 'slow 502' | number

interface Seen {
  readonly name: string
  readonly args: Json
  readonly params: Json
}

const SLOW_MS = 400

const annotated = (name: string, annotations: Json) => ({
  name,
  description: `The tool ${name}.`,
  inputSchema: { type: 'object' },
  annotations,
})

const TOOLS = [
  annotated('look', { readOnlyHint: true, openWorldHint: false }),
  annotated('put', {
    readOnlyHint: false,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  }),
  annotated('add', {
    readOnlyHint: false,
    destructiveHint: false,
    idempotentHint: false,
    openWorldHint: false,
  }),
  annotated('destroy', {
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: false,
    openWorldHint: false,
  }),
]

/** A modern HTTP server in the test process whose answers the test chooses. */
export class FlakyServer {
  /** The fates of the next calls, in order; later ones are answered. */
  fates: Fate[] = []
  /** True if it answers only calls. */
  isDeaf = false
  readonly seen: Seen[] = []
  /** All other methods that it received. */
  readonly methods: string[] = []
  readonly #server: Server
  #port = 0

  constructor() {
    this.#server = createServer((req, res) => void this.#handle(req, res))
    this.#server.keepAliveTimeout = 60_000
    later(() => this.close())
  }

  async open(): Promise<this> {
    // It reopens on the same port.
    if (this.#port === 0) this.#port = await findFreePort()
    await new Promise<void>(resolve => this.#server.listen(this.#port, '127.0.0.1', resolve))
    return this
  }

  /** Refuses connections until it is opened again. */
  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise<void>(resolve => this.#server.close(() => resolve()))
  }

  config(more: Json = {}): Json {
    return { url: `http://127.0.0.1:${this.#port}/mcp`, type: 'http', trust: 'trusted', ...more }
  }

  /** The calls of a tool that it received. */
  callsOf(name: string): readonly Seen[] {
    return this.seen.filter(call => call.name === name)
  }

  async #handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
    let body = ''
    for await (const chunk of req.setEncoding('utf8')) body += String(chunk)
    if (req.method !== 'POST') return void res.writeHead(405).end()
    const message = JSON.parse(body) as Message
    if (message.method === 'tools/call') return this.#call(message, res)
    this.methods.push(message.method ?? '')
    if (this.isDeaf) return
    const result = answerTo(message.method ?? '')
    if (message.id === undefined) res.writeHead(202).end()
    else if (result === undefined) reply(res, message, { error: { code: -32601, message: 'unknown' } })
    else reply(res, message, { result })
  }

  #call(message: Message, res: ServerResponse): void {
    const { params = {} } = message
    const args = (params.arguments ?? {}) as Json
    this.seen.push({ name: String(params.name), args, params })
    const fate = this.fates.shift() ?? 'answer'
    if (typeof fate === 'number')
      return void res.writeHead(fate, { 'content-type': 'text/html' }).end('<p>no')
    if (fate === 'cut') return void res.destroy()
    if (fate === 'leave') return void this.close()
    if (fate === 'hang') return
    if (fate === 'slow 502') return void setTimeout(() => res.writeHead(502).end(), SLOW_MS)
    const content = [{ type: 'text', text: JSON.stringify(args) }]
    reply(res, message, { result: { resultType: 'complete', content, isError: fate === 'fail' } })
  }
}

function reply(res: ServerResponse, { id }: Message, answer: Json): void {
  res.writeHead(200, { 'content-type': 'application/json' })
  res.end(JSON.stringify({ jsonrpc: '2.0', id, ...answer }))
}

function answerTo(method: string): Json | undefined {
  const list = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' }
  switch (method) {
    case 'server/discover':
      return { ...list, supportedVersions: ['2026-07-28'], capabilities: { tools: {} } }
    case 'tools/list':
      return { ...list, tools: TOOLS }
    default:
      return undefined
  }
}
