import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { personToken } from '../support/admin.ts'
import { cleanUp, later } from '../support/clean-up.ts'
import { type Gateway, startReadyGateway, stdioServer } from '../support/gateway.ts'
import { ModernClient, textOf } from '../support/raw-mcp.ts'
import { openWitness } from '../support/witness.ts'
import { ENVELOPE, modernHeaders } from './scene.ts'

// Many requests that each take some hundredths of a second to parse, all complete at the same moment. Calls of other
// callers must not wait for all of them.

const BODIES = 60
/** Below the limit on members. */
const MEMBERS = 45_000
/** Between two bodies there is time for one call of another caller; a fifth of that is enough to show it. */
const CALLS_BETWEEN = BODIES / 5

let gateway: Gateway
let greedy: string
let viewer: string
let other: string

beforeAll(async () => {
  const witness = await openWitness()
  gateway = await startReadyGateway({ mcpServers: { files: stdioServer('files', witness) } })
  greedy = await gateway.site.token()
  viewer = await personToken(gateway.site, 'viewer')
  other = await gateway.site.token()
})
afterAll(cleanUp)

const ARGUMENTS = Object.fromEntries(Array.from({ length: MEMBERS }, (_, index) => [`k${index}`, 1]))

/** A request without its last character. */
function writeMostOf(path: string, headers: readonly string[], content: object): string {
  const body = JSON.stringify(content)
  const lines = [...headers, `Content-Length: ${body.length}`]
  return `POST ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body.slice(0, -1)}`
}

function writeCall(): string {
  const name = 'no_such_tool'
  const params = { name, arguments: ARGUMENTS, _meta: ENVELOPE }
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
  return writeMostOf('/mcp/servers/files', modernHeaders(gateway.url, greedy, name), call)
}

function writeTrial(): string {
  const call = { agent: 'nobody', server: 'files', tool: 'echo', args: ARGUMENTS }
  const headers = [
    `Host: ${new URL(gateway.url).host}`,
    `Authorization: Bearer ${viewer}`,
    'Content-Type: application/json',
  ]
  return writeMostOf('/api/v1/policies/try', headers, { call })
}

async function openWith(bytes: string): Promise<Socket> {
  const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1')
  later(() => void socket.destroy())
  await once(socket, 'connect')
  await new Promise<void>(resolve => socket.write(bytes, () => resolve()))
  return socket
}

async function answerOn(socket: Socket): Promise<string> {
  const [first] = (await once(socket, 'data')) as [Buffer]
  return first.toString('latin1')
}

it.each([
  { who: 'agent', write: writeCall, status: 200 },
  { who: 'person', write: writeTrial, status: 413 },
])('many long requests of one $who do not delay the calls of others', async ({ write, status }) => {
  const request = write()
  const sockets: Socket[] = []
  for (let count = 0; count < BODIES; count++) sockets.push(await openWith(request))
  const client = new ModernClient(gateway.endpoint('files'), other)
  expect(textOf(await client.call('echo', { mine: 0 }))).toContain('"mine":0')

  let answered = 0
  const all = Promise.all(sockets.map(socket => answerOn(socket).finally(() => (answered += 1))))
  for (const socket of sockets) socket.write('}')
  let calls = 0
  while (answered < BODIES) {
    expect(textOf(await client.call('echo', { mine: calls }))).toContain(`"mine":${calls}`)
    calls += 1
  }
  for (const answer of await all) expect(answer).toContain(`HTTP/1.1 ${status} `)
  expect(calls).toBeGreaterThan(CALLS_BETWEEN)
})
