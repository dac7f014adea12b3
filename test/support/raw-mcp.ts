import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http'
import { later } from './clean-up.ts'
import { Inbox } from './inbox.ts'

/** MCP as bytes, with only as much of the protocol as tests need. */

export type Json = Readonly<Record<string, unknown>>
export type Id = string | number

export interface Message {
  readonly jsonrpc?: string
  readonly id?: Id | null
  readonly method?: string
  readonly params?: Json
  readonly result?: Json
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown }
}

export type Headers = Readonly<Record<string, string>>

export interface Sending {
  readonly method?: string
  readonly headers?: Headers
  readonly body?: string | Buffer
}

/** A response in progress: its JSON once it is complete, or its events as they arrive. */
export class Reply {
  readonly messages = new Inbox<Message>('the gateway')
  readonly eventIds: string[] = []
  readonly closed: Promise<void>
  readonly opened: Promise<void>
  status = 0
  headers: IncomingMessage['headers'] = {}
  text = ''
  /** Whether the response ended properly, and was not cut off. */
  isComplete = false
  readonly #request: ClientRequest
  #response: IncomingMessage | undefined
  #rest = ''

  constructor(url: string, { method = 'POST', headers = {}, body }: Sending) {
    this.#request = httpRequest(url, { method, headers, agent: false })
    let opened = (): void => {}
    this.opened = new Promise(resolve => {
      opened = resolve
    })
    this.closed = new Promise(resolve => {
      const end = (why: string): void => {
        this.messages.end(why)
        opened()
        resolve()
      }
      this.#request.on('response', response => {
        this.#response = response
        this.status = response.statusCode ?? 0
        this.headers = response.headers
        opened()
        response.setEncoding('utf8').on('data', (text: string) => this.#read(text))
        response.on('end', () => {
          this.isComplete = response.complete
          if (!this.isStream) this.#readBody()
        })
        response.on('error', () => {})
        response.on('close', () => end(`the response ended (${this.status}): ${this.text.slice(0, 500)}`))
      })
      this.#request.on('error', error => end(`the request failed: ${error.message}`))
    })
    later(() => this.close())
    this.#request.end(body)
  }

  get isStream(): boolean {
    return String(this.headers['content-type']).startsWith('text/event-stream')
  }

  /** The answer to the posted request. */
  answer(): Promise<Message> {
    return this.messages.until(message => message.method === undefined)
  }

  until(method: string): Promise<Message> {
    return this.messages.until(message => message.method === method)
  }

  close(): void {
    this.#request.destroy()
  }

  /** Stops reading, like a slow client. */
  pause(): void {
    this.#response?.pause()
  }

  resume(): void {
    this.#response?.resume()
  }

  #read(text: string): void {
    this.text += text
    if (!this.isStream) return
    const frames = (this.#rest + text).split('\n\n')
    this.#rest = frames.pop() ?? ''
    for (const frame of frames) this.#readFrame(frame)
  }

  #readFrame(frame: string): void {
    const lines = frame.split('\n')
    const data = lines.filter(line => line.startsWith('data:')).map(line => line.slice(5).trimStart())
    const id = lines.find(line => line.startsWith('id:'))
    if (id !== undefined) this.eventIds.push(id.slice(3).trim())
    if (data.join('') !== '') this.messages.add(JSON.parse(data.join('\n')) as Message)
  }

  #readBody(): void {
    if (!String(this.headers['content-type']).includes('json') || this.text === '') return
    const value = JSON.parse(this.text) as Message | Message[]
    for (const message of Array.isArray(value) ? value : [value]) this.messages.add(message)
  }
}

/** Sends one request and reads the complete response. */
export async function send(url: string, sending: Sending): Promise<Reply> {
  const reply = new Reply(url, sending)
  await reply.closed
  return reply
}

export const bearer = (token: string): Headers => ({ authorization: `Bearer ${token}` })

const ACCEPT = 'application/json, text/event-stream'
const META = 'io.modelcontextprotocol/'
export const MODERN = '2026-07-28'

export interface ModernOptions {
  readonly id?: Id
  readonly headers?: Headers
  readonly meta?: Json
}

/** A client of 2026-07-28: every request is self-contained. */
export class ModernClient {
  readonly url: string
  readonly token: string
  capabilities: Json
  #next = 0

  constructor(url: string, token: string, capabilities: Json = {}) {
    this.url = url
    this.token = token
    this.capabilities = capabilities
  }

  /** Starts a request; `answer()` and `until()` wait for messages. */
  open(method: string, params: Json = {}, options: ModernOptions = {}): Reply {
    const { id = this.#next++, headers = {}, meta = {} } = options
    const name = params.name ?? params.uri ?? params.taskId
    const envelope = {
      [`${META}protocolVersion`]: MODERN,
      [`${META}clientCapabilities`]: this.capabilities,
      [`${META}clientInfo`]: { name: 'raw', version: '0' },
      ...meta,
    }
    const body = JSON.stringify({ jsonrpc: '2.0', id, method, params: { ...params, _meta: envelope } })
    return new Reply(this.url, {
      body,
      headers: {
        'content-type': 'application/json',
        accept: ACCEPT,
        'mcp-protocol-version': MODERN,
        'mcp-method': method,
        ...(typeof name === 'string' ? { 'mcp-name': name } : {}),
        ...bearer(this.token),
        ...headers,
      },
    })
  }

  request(method: string, params: Json = {}, options: ModernOptions = {}): Promise<Message> {
    return this.open(method, params, options).answer()
  }

  call(name: string, args: Json = {}, options: ModernOptions = {}): Promise<Message> {
    return this.request('tools/call', { name, arguments: args }, options)
  }

  openCall(name: string, args: Json = {}, options: ModernOptions = {}): Reply {
    return this.open('tools/call', { name, arguments: args }, options)
  }
}

export interface LegacyOptions {
  readonly version?: string
  readonly capabilities?: Json
  readonly clientInfo?: Json
}

/** A client of an earlier revision: a session, and optionally a stream. */
export class LegacyClient {
  readonly url: string
  readonly token: string
  session = ''
  version = '2025-11-25'
  greeting: Message = {}
  #next = 0

  constructor(url: string, token: string) {
    this.url = url
    this.token = token
  }

  async initialize({
    version = '2025-11-25',
    capabilities = {},
    clientInfo = { name: 'raw', version: '0' },
  }: LegacyOptions = {}): Promise<this> {
    const params = { protocolVersion: version, capabilities, clientInfo }
    const reply = this.post({ jsonrpc: '2.0', id: this.#next++, method: 'initialize', params })
    this.greeting = await reply.answer()
    this.version = version
    this.session = String(reply.headers['mcp-session-id'] ?? '')
    await this.notify('notifications/initialized')
    return this
  }

  get headers(): Headers {
    return {
      'content-type': 'application/json',
      accept: ACCEPT,
      ...bearer(this.token),
      ...(this.session === ''
        ? {}
        : { 'mcp-session-id': this.session, 'mcp-protocol-version': this.version }),
    }
  }

  post(message: Json | readonly Json[], headers: Headers = {}): Reply {
    return new Reply(this.url, { body: JSON.stringify(message), headers: { ...this.headers, ...headers } })
  }

  open(method: string, params: Json = {}, id: Id = this.#next++): Reply {
    return this.post({ jsonrpc: '2.0', id, method, params })
  }

  request(method: string, params: Json = {}, id?: Id): Promise<Message> {
    return this.open(method, params, id ?? this.#next++).answer()
  }

  call(name: string, args: Json = {}, id?: Id): Promise<Message> {
    return this.request('tools/call', { name, arguments: args }, id)
  }

  openCall(name: string, args: Json = {}, id?: Id): Reply {
    return this.open('tools/call', { name, arguments: args }, id ?? this.#next++)
  }

  async notify(method: string, params: Json = {}): Promise<number> {
    const reply = this.post({ jsonrpc: '2.0', method, params })
    await reply.closed
    return reply.status
  }

  /** Answers a question of the server. */
  async respond(id: Id, result: Json): Promise<void> {
    await this.post({ jsonrpc: '2.0', id, result }).closed
  }

  /** Opens the stream for messages that belong to no request. */
  async listen(headers: Headers = {}): Promise<Reply> {
    const reply = new Reply(this.url, { method: 'GET', headers: { ...this.headers, ...headers } })
    await reply.opened
    return reply
  }

  end(): Promise<Reply> {
    return send(this.url, { method: 'DELETE', headers: this.headers })
  }
}

/** The text of the first content block of a result. */
export function textOf(message: Message): string {
  const content = message.result?.content as readonly { text?: string }[] | undefined
  return content?.[0]?.text ?? `no text: ${JSON.stringify(message)}`
}

/** The members of a tool definition that the tests use. */
export interface ListedTool {
  readonly name: string
  readonly annotations: Json
}

/** The tools in an answer to tools/list, or an empty list. */
export function toolsOf(message: Message): readonly ListedTool[] {
  return (message.result?.tools ?? []) as ListedTool[]
}

export function toolNames(message: Message): string[] {
  return toolsOf(message).map(tool => tool.name)
}

/** The code of a refusal; undefined for other messages. */
export function refusalOf(message: Message): string | undefined {
  const structured = message.result?.structuredContent as { error?: { code?: string } } | undefined
  return structured?.error?.code
}
