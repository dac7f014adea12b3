// The bench's server over HTTP:
//   node bench/dist/performance/upstream-http.js [--era legacy|modern] [--tools N] [--count PORTS] [--port N]
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parseArgs } from 'node:util'
import { createAnswerer } from './answers.ts'

const { values } = parseArgs({
  options: {
    era: { type: 'string', default: 'modern' },
    tools: { type: 'string', default: '10' },
    count: { type: 'string', default: '1' },
    port: { type: 'string', default: '0' },
  },
})
const era = values.era === 'legacy' ? 'legacy' : 'modern'
const answer = createAnswerer(era, Number(values.tools))
let sessions = 0

function handle(req: IncomingMessage, res: ServerResponse): void {
  if (req.method !== 'POST') {
    res.writeHead(req.method === 'DELETE' ? 200 : 405, { allow: 'POST' }).end()
    return
  }
  const chunks: Buffer[] = []
  req.on('data', (chunk: Buffer) => chunks.push(chunk))
  req.on('end', () =>
    respond(res, Buffer.concat(chunks).toString(), req.headers['mcp-session-id'] === undefined),
  )
}

function respond(res: ServerResponse, body: string, isFirst: boolean): void {
  const found = answer(body)
  if (found === undefined) {
    res.writeHead(202).end()
    return
  }
  const session = era === 'legacy' && isFirst ? { 'mcp-session-id': `bench-${++sessions}` } : {}
  const length = Buffer.byteLength(found.text)
  res.writeHead(found.status, { 'content-type': 'application/json', 'content-length': length, ...session })
  res.end(found.text)
}

async function listen(port: number): Promise<string> {
  const server = createServer({ keepAliveTimeout: 60_000 }, handle)
  await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
}

const urls = await Promise.all(
  Array.from({ length: Number(values.count) }, (_, index) => listen(index === 0 ? Number(values.port) : 0)),
)
console.log(`listening ${urls.join(',')}`)
