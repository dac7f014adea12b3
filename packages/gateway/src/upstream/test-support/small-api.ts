import { once } from 'node:events'
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { TransportConfig } from '../../config/config.ts'

export interface Received {
  readonly method: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

type Route = (res: ServerResponse, received: Received) => unknown

type ApiTransport = Extract<TransportConfig, { kind: 'openapi' }>

/** An HTTP API whose document has one operation for each route. A test sets the answers. */
export class SmallApi {
  url = ''
  readonly received: Received[] = []
  routes: Record<string, Route> = {}
  readonly #folder = mkdtempSync(join(tmpdir(), 'hintgate-api-'))
  readonly #server = createServer((req, res) => void this.#take(req, res))

  async start(): Promise<this> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
    return this
  }

  async stop(): Promise<void> {
    rmSync(this.#folder, { recursive: true, force: true })
    this.#server.close()
    this.#server.closeAllConnections()
    await once(this.#server, 'close')
  }

  /** Writes the document, in one step, and returns the config of a server for it. */
  describe(paths: object, more: Partial<ApiTransport> & { readonly servers?: object } = {}): ApiTransport {
    const { servers, ...settings } = more
    const file = join(this.#folder, 'api.json')
    const document = { openapi: '3.1.0', info: { title: 'Small', version: '1' }, paths, servers }
    writeFileSync(`${file}.new`, JSON.stringify(document))
    renameSync(`${file}.new`, file)
    const usual = { headers: {}, auth: undefined, include: [], exclude: [] }
    return { kind: 'openapi', file, url: this.url, ...usual, ...settings }
  }

  async #take(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = req
    const received = { method, url, headers, body: await text(req) }
    this.received.push(received)
    const route = this.routes[`${method} ${url.split('?')[0]}`]
    if (route === undefined) res.writeHead(404).end()
    else await route(res, received)
  }
}

export function sendJson(res: ServerResponse, status: number, value: unknown, headers: object = {}): void {
  res.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value))
}
