import { Inbox } from './inbox.ts'
import type { Running } from './processes.ts'
import { type Id, type Json, type Message, MODERN } from './raw-mcp.ts'

const META = 'io.modelcontextprotocol/'

/** A client on the pipe of a process, in either era. */
export class StdioClient {
  readonly messages = new Inbox<Message>('the pipe')
  readonly #running: Running
  #next = 0

  constructor(running: Running) {
    this.#running = running
    let rest = ''
    running.child.stdout?.on('data', (text: string) => {
      const lines = (rest + text).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) this.messages.add(JSON.parse(line) as Message)
    })
    running.exited
      .then(code => this.messages.end(`the process ended with ${code}: ${running.stderr.items.join(' ')}`))
      .catch(() => {})
  }

  write(message: Json | string): void {
    this.#running.child.stdin?.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`)
  }

  async initialize(capabilities: Json = {}): Promise<Message> {
    const clientInfo = { name: 'raw', version: '0' }
    const answer = await this.request('initialize', {
      protocolVersion: '2025-11-25',
      capabilities,
      clientInfo,
    })
    this.write({ jsonrpc: '2.0', method: 'notifications/initialized' })
    return answer
  }

  /** Sends a request and returns its id. */
  start(method: string, params: Json = {}, id: Id = this.#next++): Id {
    this.write({ jsonrpc: '2.0', id, method, params })
    return id
  }

  answerTo(id: Id): Promise<Message> {
    return this.messages.until(message => message.id === id && message.method === undefined)
  }

  request(method: string, params: Json = {}): Promise<Message> {
    return this.answerTo(this.start(method, params))
  }

  modern(method: string, params: Json = {}, capabilities: Json = {}): Promise<Message> {
    return this.answerTo(this.startModern(method, params, capabilities))
  }

  startModern(method: string, params: Json = {}, capabilities: Json = {}, meta: Json = {}): Id {
    const envelope = {
      [`${META}protocolVersion`]: MODERN,
      [`${META}clientCapabilities`]: capabilities,
      ...meta,
    }
    return this.start(method, { ...params, _meta: envelope })
  }

  /** Closes the pipe, like a client that leaves, and waits for the end of the process. */
  leave(): Promise<number | null> {
    this.#running.child.stdin?.end()
    return this.#running.exited
  }
}
