import { readFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { UnsecuredJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cleanUp, later } from '../support/clean-up.ts'
import { bearer, ModernClient, send, textOf } from '../support/raw-mcp.ts'
import { scripted } from '../support/scripted-server.ts'
import { play, type Scene } from './scene.ts'

// A few hundred kilobytes on the wire that unpack to hundreds of megabytes.

const RESOURCE = 'https://mcp.example.test'
const MEGABYTES = 300
const FEW_MEGABYTES = 450

const bomb = gzipSync(Buffer.alloc(MEGABYTES * 1024 * 1024, 32), { level: 9 })
const asked: string[] = []
let scene: Scene
let url: string

function explode(res: ServerResponse, type: string): void {
  res.writeHead(200, { 'content-type': type, 'content-encoding': 'gzip' }).end(bomb)
}

beforeAll(async () => {
  const server = createServer((req, res) => {
    const path = req.url ?? ''
    asked.push(path)
    if (path === '/oauth') {
      const metadata = `Bearer resource_metadata="${url}/metadata"`
      return void res.writeHead(401, { 'www-authenticate': metadata }).end()
    }
    explode(res, path === '/sse' ? 'text/event-stream' : 'application/json')
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  later(() => {
    server.closeAllConnections()
    server.close()
  })
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const grants = [{ when: { scope: 'x' }, permissions: ['read'], servers: ['s'] }]
  scene = await play([scripted('read')], {
    mcpServers: {
      http: { url: `${url}/http`, type: 'http' },
      sse: { url: `${url}/sse`, type: 'sse' },
      oauth: { url: `${url}/oauth`, type: 'http', oauth: {} },
    },
    oauth: { resource: RESOURCE, issuers: [{ issuer: `${url}/issuer`, grants }] },
  })
})
afterAll(cleanUp)

/** The highest memory use of the gateway in megabytes; 0 if the system does not report it. */
function mostMemory(): number {
  try {
    const status = readFileSync(`/proc/${scene.gateway.pid}/status`, 'utf8')
    return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024
  } catch {
    return 0
  }
}

describe('a compressed answer', () => {
  it('is not unpacked, whether it comes from a server or an issuer', async () => {
    const names = ['http', 'sse', 'oauth']
    await Promise.all(names.map(name => scene.gateway.says(new RegExp(`\\b${name} is down`))))
    const token = new UnsecuredJWT({ scope: 'x' }).setIssuer(`${url}/issuer`).setAudience(RESOURCE).encode()
    const forged = { method: 'POST', headers: bearer(`${token}AAAA`), body: '{}' }
    expect((await send(scene.gateway.endpoint('s'), forged)).status).toBe(401)
    const wellKnown = '/.well-known/oauth-authorization-server/issuer'
    for (const path of ['/http', '/sse', '/metadata', wellKnown]) expect(asked).toContain(path)
    expect(mostMemory()).toBeLessThan(FEW_MEGABYTES)
  })

  it('does not affect other servers', async () => {
    const client = new ModernClient(scene.gateway.endpoint('s'), scene.token)
    expect(textOf(await client.call('read', {}))).toContain('read')
  })
})
