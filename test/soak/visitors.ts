import { Agent, type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { Headers } from '../support/raw-mcp.ts'
import type { Fleet } from './fleet.ts'

/** What came of all visits. */
export interface Tally {
  answered: number
  cancelled: number
  /** No answer, or one that is none. */
  readonly lost: string[]
  /** Somebody else's answer. */
  readonly crossed: string[]
  /** Of calls that were answered, in milliseconds. */
  readonly times: number[]
}

const VARIANTS = { read: 'read', write: 'write', destroy: 'destructive' } as const
const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
}

let visits = 0

/** Somebody who comes in one way or another until it is time to go. */
export class Visitor {
  readonly #fleet: Fleet
  readonly #tally: Tally
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 4 })
  readonly #random: () => number

  constructor(fleet: Fleet, tally: Tally, random: () => number) {
    this.#fleet = fleet
    this.#tally = tally
    this.#random = random
  }

  async stay(until: number): Promise<void> {
    const ways = [
      ...Array.from({ length: 12 }, () => () => this.#call()),
      ...Array.from({ length: 3 }, () => () => this.#openSession()),
      () => this.#cancel(),
      () => this.#readSlowly(),
      () => this.#halfOpen(),
    ]
    while (Date.now() < until) await this.#pick(ways)()
    this.#agent.destroy()
  }

  #pick<T>(items: readonly T[]): T {
    return items[Math.floor(this.#random() * items.length)] as T
  }

  /** One call of a modern client, on one of the surfaces, that is answered with its own words. */
  async #call(): Promise<void> {
    const startedAt = performance.now()
    const { url, token, body, headers, mark, server } = this.#compose(0)
    const text = await this.#post(url, { body, headers: { ...headers, authorization: `Bearer ${token}` } })
    this.#tally.times.push(performance.now() - startedAt)
    this.#judge(text, { mark, server })
  }

  #compose(ms: number) {
    const mark = `mark-${++visits}-`
    const server = this.#pick(this.#fleet.servers)
    const tool = this.#pick(['read', 'read', 'write', 'destroy'] as const)
    const args = { mark, ...(ms > 0 ? { ms } : {}) }
    const [path, name, given] = this.#pick([
      [`/mcp/servers/${server}`, tool, args],
      ['/mcp/direct', `${server}__${tool}`, args],
      ['/mcp', `call_tool_${VARIANTS[tool]}`, { name: `${server}:${tool}`, args }],
    ] as const)
    const params = { name, arguments: given, _meta: META }
    const body = JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'tools/call', params })
    const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': name }
    return {
      url: `${this.#fleet.gateway.url}${path}`,
      token: this.#pick(this.#fleet.tokens),
      body,
      headers,
      mark,
      server,
    }
  }

  #judge(text: string, { mark, server }: { mark: string; server: string }): void {
    const marks = [...new Set(text.match(/mark-\d+-/g))]
    const isOwn = marks.length === 1 && marks[0] === mark && text.includes(`${server}\\"`)
    if (isOwn) this.#tally.answered += 1
    else if (marks.some(other => other !== mark))
      this.#tally.crossed.push(`${mark} got ${text.slice(0, 300)}`)
    else this.#tally.lost.push(`${mark} of ${server} got ${text.slice(0, 300)}`)
  }

  /** A client of the older era: a session, two calls under one id each, and then it ends it, or forgets to. */
  async #openSession(): Promise<void> {
    const server = this.#pick(this.#fleet.servers)
    const url = `${this.#fleet.gateway.url}/mcp/servers/${server}`
    const authorization = `Bearer ${this.#pick(this.#fleet.tokens)}`
    const params = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'soak', version: '0' },
    }
    let session = ''
    const hello = JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params })
    const onHeaders = (response: IncomingMessage): void => {
      session = String(response.headers['mcp-session-id'] ?? '')
    }
    await this.#post(url, { body: hello, headers: { authorization }, onHeaders })
    const headers = { authorization, 'mcp-session-id': session }
    await Promise.all(
      [1, 2].map(async id => {
        const mark = `mark-${++visits}-`
        const call = { name: 'read', arguments: { mark } }
        const body = JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: call })
        this.#judge(await this.#post(url, { body, headers }), { mark, server })
      }),
    )
    if (this.#random() < 0.8) await this.#post(url, { method: 'DELETE', headers })
  }

  /** Goes away in the middle of a call. */
  async #cancel(): Promise<void> {
    const { url, token, body, headers } = this.#compose(2000)
    const leaving = new AbortController()
    setTimeout(() => leaving.abort(), 20 + this.#random() * 200)
    await this.#post(url, {
      body,
      headers: { ...headers, authorization: `Bearer ${token}` },
      signal: leaving.signal,
    })
    this.#tally.cancelled += 1
  }

  /** Opens a stream of news and does not read it. */
  async #readSlowly(): Promise<void> {
    const params = { notifications: { toolsListChanged: true }, _meta: META }
    const body = JSON.stringify({ jsonrpc: '2.0', id: 'l', method: 'subscriptions/listen', params })
    const leaving = new AbortController()
    setTimeout(() => leaving.abort(), 1000)
    const headers = {
      authorization: `Bearer ${this.#pick(this.#fleet.tokens)}`,
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'subscriptions/listen',
    }
    const onHeaders = (response: IncomingMessage): void => void response.pause()
    await this.#post(`${this.#fleet.gateway.url}/mcp/direct`, {
      body,
      headers,
      signal: leaving.signal,
      onHeaders,
    })
  }

  /** Says half of what it wants, and nothing more. */
  async #halfOpen(): Promise<void> {
    const { port } = new URL(this.#fleet.gateway.url)
    const socket = connect(Number(port), '127.0.0.1', () => socket.write('POST /mcp HTTP/1.1\r\nHost: local'))
    socket.on('error', () => {})
    await pause(200)
    socket.destroy()
  }

  #post(
    url: string,
    sending: {
      method?: string
      body?: string
      headers: Headers
      signal?: AbortSignal
      onHeaders?(response: IncomingMessage): void
    },
  ): Promise<string> {
    const { method = 'POST', body, headers, signal, onHeaders } = sending
    const all = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    }
    return new Promise(resolve => {
      const req = request(
        url,
        { method, headers: all, agent: this.#agent, ...(signal && { signal }) },
        response => {
          let text = ''
          response.setEncoding('utf8').on('data', (part: string) => (text += part))
          response.on('error', () => {}).on('close', () => resolve(text))
          onHeaders?.(response)
        },
      )
      req.on('error', error => resolve(`no answer: ${error.message}`))
      req.end(body)
    })
  }
}
