import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cleanUp } from '../support/clean-up.ts'
import { DESTROYS, scripted } from '../support/scripted-server.ts'
import { sendBytes, writeRequest } from './raw-http.ts'
import { ENVELOPE, modernHeaders, play, type Scene } from './scene.ts'

// A web page in a browser on the same machine is not the user (Docker CVE-2025-64443, ts-sdk CVE-2025-66414). Single
// headers: test/hostile/gateway-limits.test.ts. This file combines host, origin, path and content type, as bytes,
// always with a valid token.

let scene: Scene

beforeAll(async () => {
  scene = await play([scripted('destroy', { annotations: DESTROYS })])
})
afterAll(cleanUp)

const params = { name: 'destroy', arguments: {}, _meta: ENVELOPE }
const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
const PATHS = [
  '/mcp',
  '/mcp/direct',
  '/mcp/servers/s',
  '/api/v1/servers',
  '/api/v1/events',
  '/metrics',
  '/healthz',
  '/',
]

/** The status of a destructive call with these header lines in place of the usual ones. */
async function statusOf(path: string, lines: readonly string[], method = 'POST'): Promise<number> {
  const { url } = scene.gateway
  const own = lines.map(line => `${line.split(':', 1)[0]?.toLowerCase()}:`)
  const headers = modernHeaders(url, scene.token, 'destroy').filter(
    line => !own.some(name => line.toLowerCase().startsWith(name)),
  )
  return (await sendBytes(url, writeRequest(`${method} ${path}`, [...headers, ...lines], body))).status
}

const port = (): string => new URL(scene.gateway.url).port

describe('a request from a web page', () => {
  it.each([
    ['another host', () => ['Host: attacker.example']],
    ['another host with our port', () => [`Host: attacker.example:${port()}`]],
    ['a name that starts with ours', () => ['Host: localhost.attacker.example']],
    ['our name with a dot at the end', () => ['Host: localhost.']],
    ['our address as a number', () => ['Host: 2130706433']],
    ['our address in another notation', () => ['Host: 0x7f.1']],
    ['our address in IPv6 form', () => ['Host: [::ffff:127.0.0.1]']],
    ['a user before our name', () => ['Host: attacker.example@localhost']],
    ['two names', () => ['Host: localhost, attacker.example']],
    ['two hosts, ours first', () => [`Host: localhost:${port()}`, 'Host: attacker.example']],
    ['two hosts, ours last', () => ['Host: attacker.example', `Host: localhost:${port()}`]],
    ['the same host twice', () => ['Host: localhost', 'Host: localhost']],
    ['a foreign page', () => [`Host: localhost:${port()}`, 'Origin: https://attacker.example']],
    ['a page without an origin', () => [`Host: localhost:${port()}`, 'Origin: null']],
    ['a page without an origin, in upper case', () => [`Host: localhost:${port()}`, 'Origin: NULL']],
    ['an empty origin', () => [`Host: localhost:${port()}`, 'Origin: ']],
    [
      'two origins, ours first',
      () => [
        `Host: localhost:${port()}`,
        `Origin: http://localhost:${port()}`,
        'Origin: https://attacker.example',
      ],
    ],
    [
      'two origins in one line',
      () => [`Host: localhost:${port()}`, `Origin: http://localhost:${port()}, https://attacker.example`],
    ],
    [
      'a page with our name as its user',
      () => [`Host: localhost:${port()}`, 'Origin: https://localhost@attacker.example'],
    ],
    ['a page of an extension', () => [`Host: localhost:${port()}`, 'Origin: chrome-extension://localhost']],
    [
      'a proxy header with our name',
      () => ['Host: attacker.example', `X-Forwarded-Host: localhost:${port()}`],
    ],
  ])('is refused on every path: %s', async (_what, lines) => {
    const before = await scene.arrived()
    for (const path of PATHS) {
      for (const method of ['POST', 'GET', 'OPTIONS']) {
        const status = await statusOf(path, lines(), method)
        expect([400, 403], `${method} ${path}: ${status}`).toContain(status)
      }
    }
    expect(await scene.arrived()).toEqual(before)
  })

  it('is refused if the request line names another host', async () => {
    const before = await scene.arrived()
    for (const target of ['http://attacker.example/mcp/servers/s', '//attacker.example/mcp/servers/s']) {
      const status = await statusOf(target, [])
      expect([400, 403, 404], `${target}: ${status}`).toContain(status)
    }
    expect(await scene.arrived()).toEqual(before)
  })

  it.each([
    'text/plain',
    'text/plain; charset=application/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=application/json',
    'text/plain, application/json',
    'application/json-seq',
    '',
  ])('is refused with a content type that any page may send: %j', async type => {
    const before = await scene.arrived()
    for (const path of ['/mcp', '/mcp/direct', '/mcp/servers/s'])
      expect(await statusOf(path, [`Content-Type: ${type}`])).toBe(415)
    expect(await scene.arrived()).toEqual(before)
  })

  it('is never allowed to read the answer (CORS)', async () => {
    const { url } = scene.gateway
    for (const origin of [`http://localhost:${port()}`, 'https://attacker.example', 'null']) {
      const lines = [
        `Host: localhost:${port()}`,
        `Origin: ${origin}`,
        'Access-Control-Request-Method: POST',
        'Access-Control-Request-Private-Network: true',
      ]
      for (const path of PATHS) {
        const { text } = await sendBytes(url, writeRequest(`OPTIONS ${path}`, lines))
        expect(text.toLowerCase()).not.toContain('access-control-allow')
      }
    }
  })

  it('is accepted from a page of this machine', async () => {
    const before = (await scene.arrived()).length
    const lines = [`Host: localhost:${port()}`, `Origin: http://localhost:${port()}`]
    expect(await statusOf('/mcp/servers/s', lines)).toBe(200)
    expect((await scene.arrived()).length).toBe(before + 1)
  })
})
