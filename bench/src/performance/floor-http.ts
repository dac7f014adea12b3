// The floor for HTTP: the cheapest pipe that Node can be. A node:http server in front of undici pools, without parsing or
// decisions.  node bench/dist/performance/floor-http.js UPSTREAM_URL…   (number N is served at /N)
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Dispatcher } from 'undici'
import { Pool } from 'undici'

const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'transfer-encoding',
  'host',
  'content-length',
  'date',
])

const pools = process.argv
  .slice(2)
  .map(url => ({ pool: new Pool(new URL(url).origin), path: new URL(url).pathname }))

function handle(req: IncomingMessage, res: ServerResponse): void {
  const route = pools[Number(req.url?.slice(1))]
  if (route === undefined) {
    res.writeHead(404).end()
    return
  }
  const chunks: Buffer[] = []
  req.on('data', (chunk: Buffer) => chunks.push(chunk))
  req.on('end', () => {
    const [first] = chunks
    const body = chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks)
    const method = req.method as Dispatcher.HttpMethod
    route.pool.dispatch({ path: route.path, method, headers: keepHeaders(req.rawHeaders), body }, pipeTo(res))
  })
}

/** undici's handler with raw headers is the cheaper of its two. */
function pipeTo(res: ServerResponse): Dispatcher.DispatchHandler {
  return {
    onConnect() {},
    onHeaders(status, headers) {
      res.writeHead(status, keepHeaders(headers.map(String)))
      return true
    },
    onData(chunk) {
      res.write(chunk)
      return true
    },
    onComplete() {
      res.end()
    },
    onError() {
      res.destroy()
    },
  }
}

function keepHeaders(raw: readonly string[]): string[] {
  const kept: string[] = []
  for (let at = 0; at < raw.length; at += 2) {
    const name = raw[at] ?? ''
    if (!HOP_BY_HOP.has(name.toLowerCase())) kept.push(name, raw[at + 1] ?? '')
  }
  return kept
}

const server = createServer({ keepAliveTimeout: 60_000 }, handle)
server.listen(0, '127.0.0.1', () => {
  console.log(`listening http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})
