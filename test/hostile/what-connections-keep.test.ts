import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cleanUp, later } from '../support/clean-up.ts'
import { type Gateway, startReadyGateway, stdioServer } from '../support/gateway.ts'
import { type Json, LegacyClient, ModernClient, textOf } from '../support/raw-mcp.ts'
import { EVERYTHING } from '../support/search-client.ts'
import { openWitness } from '../support/witness.ts'
import { ENVELOPE, modernHeaders } from './scene.ts'

// A gateway with little memory, and long requests that together exceed it. No request may stay in memory after its
// end, whether its connection stays open or not.

const HEAP_MB = 160
const LONG = 'x'.repeat(4_000_000)
const TOGETHER = 60

let gateway: Gateway
let token: string
let other: string

beforeAll(async () => {
  const witness = await openWitness()
  gateway = await startReadyGateway(
    { mcpServers: { files: stdioServer('files', witness) } },
    { env: { NODE_OPTIONS: `--max-old-space-size=${HEAP_MB}` } },
  )
  token = await gateway.site.token({ permissions: EVERYTHING })
  other = await gateway.site.token({ permissions: EVERYTHING })
})
afterAll(cleanUp)

interface Post {
  readonly path: string
  readonly headers: readonly string[]
  readonly body: unknown
}

function callOf(name: string, args: Json = { long: LONG }): Json {
  return { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }
}

function modern(path: string, name: string, args?: Json): Post {
  const { params, ...call } = callOf(name, args)
  const body = { ...call, params: { ...(params as Json), _meta: ENVELOPE } }
  return { path, headers: modernHeaders(gateway.url, token, name), body }
}

async function legacy(body: unknown): Promise<Post> {
  const { session } = await new LegacyClient(gateway.endpoint('files'), token).initialize()
  const headers = modernHeaders(gateway.url, token, '').filter(line => !line.startsWith('Mcp-'))
  return { path: '/mcp/servers/files', headers: [...headers, `Mcp-Session-Id: ${session}`], body }
}

function write({ path, headers, body }: Post): Buffer {
  const text = JSON.stringify(body)
  const lines = [`POST ${path} HTTP/1.1`, ...headers, `Content-Length: ${Buffer.byteLength(text)}`]
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${text}`)
}

/**
 * Sends on a new connection that stays open. Resolves with the first answer, or an empty text if the gateway is gone.
 */
function send(bytes: Buffer): Promise<string> {
  const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1')
  later(() => void socket.destroy())
  socket.on('error', () => {})
  socket.write(bytes)
  return new Promise(resolve => {
    socket.once('data', (first: Buffer) => resolve(first.toString('latin1')))
    socket.once('close', () => resolve(''))
  })
}

/** The gateway has the whole request when it learns that its client is gone. */
function sendAndLeave(bytes: Buffer): Promise<void> {
  const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1')
  later(() => void socket.destroy())
  socket.on('error', () => {}).resume()
  socket.end(bytes)
  return new Promise(resolve => socket.once('close', () => resolve()))
}

async function expectToBeThere(): Promise<void> {
  const client = new ModernClient(gateway.endpoint('files'), other)
  expect(textOf(await client.call('echo', { mine: 1 }))).toContain('"mine":1')
}

describe('a connection that stays open does not keep in memory', () => {
  const PATH = '/mcp/servers/files'
  const CASES: readonly (readonly [string, () => Post | Promise<Post>])[] = [
    ['its last call', () => modern(PATH, 'no_such_tool')],
    [
      'its last call of a tool that calls tools',
      () => modern('/mcp', 'call_tool_read', { name: 'files:no', args: { long: LONG } }),
    ],
    [
      'its last batch of reads',
      () => modern('/mcp', 'call_tools_read', { calls: [{ name: 'files:no', args: { long: LONG } }] }),
    ],
    ['its last call in a session', () => legacy(callOf('no_such_tool'))],
    ['its last batch in a session', () => legacy([callOf('no_such_tool')])],
    [
      'a refused request',
      () => ({
        path: PATH,
        headers: modernHeaders(gateway.url, token, 'other'),
        body: callOf('no_such_tool'),
      }),
    ],
  ]
  it.each(CASES)('%s', async (_, post) => {
    const bytes = write(await post())
    for (let count = 0; count < TOGETHER; count++) expect(await send(bytes)).toMatch(/^HTTP\/1\.1 [24]00 /)
    await expectToBeThere()
  })
})

describe('the queue of long requests does not keep in memory', () => {
  /** Each takes some hundredths of a second, followed by a pause of the same length. */
  const SLOW = 80
  const members = Object.fromEntries(Array.from({ length: 45_000 }, (_, index) => [`k${index}`, 1]))

  it('requests of clients that have disconnected', async () => {
    const slow = write(modern('/mcp/servers/files', 'no_such_tool', members))
    const long = write(modern('/mcp/servers/files', 'no_such_tool'))
    for (let count = 0; count < SLOW; count++) void send(slow)
    for (let count = 0; count < TOGETHER; count++) await sendAndLeave(long)
    await expectToBeThere()
  })
})
