// The proxy that everybody writes first: SDK objects in the middle, a `Client` for each server and a `Server` in front
// of it. The bench measures what Hintgate's raw path saves against it.
//   node test/peers/dist/sdk-proxy/main.js --era legacy|modern UPSTREAM…
// An upstream is a URL, or a JSON array of a command and its arguments; upstream N is served at /N.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parseArgs } from 'node:util'
import type { Transport } from '@modelcontextprotocol/client'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { serveLegacy } from './legacy.ts'
import { serveModern } from './modern.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { era: { type: 'string', default: 'modern' } },
})
const isModern = values.era === 'modern'
const serve = isModern ? serveModern : serveLegacy
const routes = await Promise.all(positionals.map(async upstream => serve(await connect(upstream))))

const server = createServer((req, res) => {
  const route = routes[Number(req.url?.slice(1))]
  if (route === undefined) res.writeHead(404).end()
  else route(req, res).catch(() => res.destroy())
})
server.listen(0, '127.0.0.1', () => {
  console.log(`listening http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})
process.once('SIGTERM', () => process.exit(0))

async function connect(upstream: string): Promise<Client> {
  const mode = isModern ? { pin: '2026-07-28' } : ('legacy' as const)
  const client = new Client({ name: 'sdk-proxy', version: '1.0.0' }, { versionNegotiation: { mode } })
  await client.connect(openTransport(upstream))
  return client
}

function openTransport(upstream: string): Transport {
  if (!upstream.startsWith('[')) return new StreamableHTTPClientTransport(new URL(upstream))
  const [command = '', ...args] = JSON.parse(upstream) as string[]
  return new StdioClientTransport({ command, args, stderr: 'ignore' })
}
