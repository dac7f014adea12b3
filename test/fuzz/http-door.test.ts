import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sendBytes } from '../hostile/raw-http.ts'
import { modernHeaders, play, type Scene } from '../hostile/scene.ts'
import { cleanUp } from '../support/clean-up.ts'
import { isAlive } from '../support/processes.ts'
import { ModernClient, send, textOf } from '../support/raw-mcp.ts'
import { scripted } from '../support/scripted-server.ts'
import { jsonText, mutated } from './arbitrary-json.ts'
import { effort, TIMEOUT_MS } from './budget.ts'

// The HTTP transport with random bytes: it answers or closes in time, without internal errors or growing memory.

let scene: Scene

beforeAll(async () => {
  scene = await play([scripted('read')])
})
afterAll(cleanUp)

const META =
  '"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}'
const BODIES = [
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read","arguments":{},${META}}}`,
  `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{${META}}}`,
  `{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{${META}}}`,
  '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"0"}}}',
  '[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","method":"notifications/initialized"}]',
  '{"jsonrpc":"2.0","id":1,"result":{}}',
]
const body = fc.oneof(fc.constantFrom(...BODIES), mutated(fc.constantFrom(...BODIES)), jsonText)

const LINES = [
  'Transfer-Encoding: chunked',
  'Content-Length: 0',
  'Content-Length: 5',
  'Expect: 100-continue',
  'Upgrade: websocket',
  'Connection: upgrade',
  'Host: x',
  'Origin: null',
  'Mcp-Session-Id: 1',
  'Last-Event-Id: 1',
  'Mcp-Method: tools/call',
  'Content-Type: text/plain',
  'Content-Encoding: gzip',
  'Accept: */*',
  'Authorization: Bearer x',
  'Cookie: a=b',
  'X-\u0000: 1',
  ' folded: 1',
  `X-Long: ${'a'.repeat(20_000)}`,
  'traceparent: 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  'Mcp-Name: =?base64?!!!?=',
]
const PATHS = [
  '/mcp',
  '/mcp/direct',
  '/mcp/servers/s',
  '/mcp/servers/%2e%2e/s',
  '/mcp/servers/',
  '/api/v1/servers',
  '/api/v1/tools/a/b',
  '/metrics',
  '/readyz',
  '/',
  '//',
  '/%00',
  '/mcp?x=1#y',
  '*',
  '/mcp/../api/v1/servers',
]
const METHODS = ['POST', 'POST', 'POST', 'GET', 'DELETE', 'OPTIONS', 'HEAD', 'PUT', 'TRACE', 'FOO']

const request = fc.record({
  method: fc.constantFrom(...METHODS),
  path: fc.constantFrom(...PATHS),
  more: fc.uniqueArray(fc.constantFrom(...LINES), { maxLength: 2 }),
  body,
  isHonest: fc.boolean(),
})

function write({
  method,
  path,
  more,
  body: text,
  isHonest,
}: typeof request extends fc.Arbitrary<infer R> ? R : never): Buffer {
  const headers = [...modernHeaders(scene.gateway.url, scene.token, 'read'), ...more, 'Connection: close']
  if (isHonest) headers.push(`Content-Length: ${Buffer.byteLength(text)}`)
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n${text}`)
}

/** The memory of the gateway's process in megabytes; undefined if the system does not report it. */
function memory(): number {
  try {
    const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${scene.gateway.pid}/status`, 'utf8'))?.[1]
    return Number(kilobytes ?? 0) / 1024
  } catch {
    return 0
  }
}

/** A complete request that is neither answered nor closed hangs. */
async function knock(bytes: Buffer): Promise<void> {
  const isWhole = isComplete(bytes)
  const answer = await sendBytes(scene.gateway.url, bytes, isWhole ? 10_000 : 300)
  expect(isWhole && answer.isHanging, bytes.toString('latin1')).toBe(false)
  expect([500, 502, 504], answer.text.slice(0, 300)).not.toContain(answer.status)
  expect(answer.text).not.toMatch(/node:internal|\.[jt]s:\d+|TypeError|RangeError/)
}

/** Whether the announced body was sent completely; otherwise the server must wait. */
function isComplete(bytes: Buffer): boolean {
  const text = bytes.toString('latin1')
  const [head = '', ...rest] = text.split('\r\n\r\n')
  const length = /^content-length: (\d+)/im.exec(head)?.[1]
  return !/^(?:transfer-encoding|expect):/im.test(head) && rest.join('\r\n\r\n').length >= Number(length ?? 0)
}

describe('the HTTP transport', () => {
  it(
    'answers every input and keeps running without growing',
    async () => {
      const errors = (): number =>
        scene.gateway.stderr.items.filter(line => /Error|internal/i.test(line)).length
      const [before, faults] = [memory(), errors()]
      await fc.assert(
        fc.asyncProperty(fc.array(request, { minLength: 4, maxLength: 4 }), async requests => {
          await Promise.all(requests.map(one => knock(write(one))))
        }),
        effort(60),
      )
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.uint8Array({ minLength: 1, maxLength: 300 }), { minLength: 4, maxLength: 4 }),
          async noise => {
            await Promise.all(
              noise.map(bytes =>
                sendBytes(scene.gateway.url, `${Buffer.from(bytes).toString('latin1')}\r\n\r\n`, 300),
              ),
            )
          },
        ),
        effort(15),
      )
      expect(isAlive(scene.gateway.pid)).toBe(true)
      expect((await send(`${scene.gateway.url}/healthz`, { method: 'GET' })).status).toBe(200)
      const client = new ModernClient(scene.gateway.endpoint('s'), scene.token)
      expect(textOf(await client.call('read', { still: 'here' }))).toContain('"still":"here"')
      expect(errors()).toBe(faults)
      expect(memory() - before).toBeLessThan(150)
    },
    TIMEOUT_MS,
  )
})
