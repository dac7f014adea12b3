import { once } from 'node:events'
import { createServer, request } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { later } from './clean-up.ts'
import { peerFile } from './peers.ts'

interface PrismServer {
  listen(port: number, host: string): Promise<string>
  close(): Promise<void>
}

const silent = {
  info() {},
  warn() {},
  error() {},
  debug() {},
  success() {},
  trace() {},
  child: () => silent,
  level: 'silent',
}

export interface Mock {
  readonly url: string
  /** What was wrong with the requests so far. */
  readonly violations: string[]
}

/**
 * Starts Stoplight Prism, which answers with what the document promises. It reports requests that do not match the
 * document in a header, which a proxy in front of it notes.
 */
export async function startPrism(file: string): Promise<Mock> {
  const require = createRequire(import.meta.url)
  const prism = require(peerFile('@stoplight/prism-http-server')) as {
    createServer(operations: unknown, options: object): PrismServer
  }
  const { getHttpOperationsFromSpec } = require(peerFile('@stoplight/prism-http')) as {
    getHttpOperationsFromSpec(file: string): Promise<unknown>
  }
  const config = {
    mock: { dynamic: false },
    isProxy: false,
    validateRequest: true,
    validateResponse: false,
    checkSecurity: false,
    errors: false,
  }
  const server = prism.createServer(await getHttpOperationsFromSpec(file), {
    cors: false,
    config,
    components: { logger: silent },
  })
  const target = await server.listen(0, '127.0.0.1')
  later(() => server.close())
  const violations: string[] = []
  const proxy = createServer((req, res) => {
    const { method, url, headers } = req
    const asked = request(`${target}${url}`, { method, headers }, answer => {
      const found = answer.headers['sl-violations']
      if (found !== undefined || answer.statusCode === 404)
        violations.push(`${method} ${url} ${String(found)}`)
      res.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.pipe(res)
    })
    req.pipe(asked)
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  later(() => void proxy.close())
  return { url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, violations }
}
