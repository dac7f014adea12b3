import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { exportJWK, generateKeyPair } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { discoverIssuer, findKeys } from '../tokens/oauth/discover-issuer.ts'
import { OidcFlow } from '../tokens/oauth/oidc-flow.ts'
import { createGuardedFetch } from '../upstream/oauth/guarded-fetch.ts'
import { fetchPlain } from './plain-fetch.ts'

type Respond = (res: ServerResponse, text: string) => void

const METADATA = '/.well-known/oauth-authorization-server'
const respondNormally: Respond = (res, text) => res.end(text)

let server: Server
let url: string
let documents: Readonly<Record<string, object>>
/** Replaces the server's normal answer at one path. */
let override: { readonly path: string; readonly respond: Respond }
let codings: unknown[]
/** Bytes sent before the client closed the connection. */
let sent = 0

beforeAll(async () => {
  server = createServer((req, res) => {
    codings.push(req.headers['accept-encoding'])
    const respond = req.url === override.path ? override.respond : respondNormally
    respond(res, JSON.stringify(documents[req.url ?? ''] ?? {}))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const key = await exportJWK((await generateKeyPair('ES256')).publicKey)
  documents = {
    [METADATA]: {
      issuer: url,
      authorization_endpoint: `${url}/authorize`,
      token_endpoint: `${url}/token`,
    },
    '/jwks': { keys: [{ ...key, kid: 'a', alg: 'ES256' }] },
    '/server': { resource: 'x' },
  }
})
beforeEach(() => {
  codings = []
  override = { path: '', respond: respondNormally }
  sent = 0
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

async function signIn(): Promise<unknown> {
  const issuer = {
    issuer: url,
    domain: 'id.example',
    audiences: [],
    algorithms: [],
    clockSkewMs: 0,
    nameClaim: 'sub',
    grants: [],
  }
  const around = { key: Buffer.alloc(32), redirectUrl: `${url}/back`, now: Date.now }
  const flow = new OidcFlow({ issuer, clientId: 'c', scope: 'openid' }, around)
  const begun = await flow.begin()
  const state = new URL(begun.url).searchParams.get('state') ?? ''
  const back = flow.readBack(new URLSearchParams({ state, code: 'x' }), begun.kept)
  return back && flow.identify(back)
}

async function verifyKey(): Promise<unknown> {
  const keys = await findKeys({ issuer: url, jwks: `${url}/jwks` })
  return keys({ alg: 'ES256', kid: 'a' })
}

/** Every function that sends a request to an authorization server, with the path of that request. */
const REQUESTERS: readonly (readonly [who: string, path: string, ask: () => Promise<unknown>])[] = [
  ['issuer discovery', METADATA, () => discoverIssuer(url)],
  ['reading issuer keys', '/jwks', verifyKey],
  ['console sign-in', '/token', signIn],
  ['server sign-in', '/server', () => createGuardedFetch(url)(`${url}/server`)],
]

/** Sends until the client closes the connection. */
function sendEndlessly(res: ServerResponse): void {
  const piece = Buffer.alloc(64 * 1024, 32)
  const more = (): void => {
    while (!res.destroyed && sent < 64 * 1024 * 1024) {
      sent += piece.length
      if (!res.write(piece)) return void res.once('drain', more)
    }
    res.end()
  }
  more()
}

describe.each(REQUESTERS)('%s', (_who, path, ask) => {
  it('asks for an uncompressed answer, and accepts it', async () => {
    await ask()
    expect(codings.length).toBeGreaterThan(0)
    for (const coding of codings) expect(coding).toBe('identity')
    override = { path, respond: (res, text) => res.setHeader('content-encoding', 'Identity').end(text) }
    await ask()
  })

  it.each(['gzip', 'br', 'deflate', 'identity, gzip', 'x-other'])('rejects an answer in %s', async coding => {
    override = { path, respond: (res, text) => res.setHeader('content-encoding', coding).end(gzipSync(text)) }
    await expect(ask()).rejects.toThrow('compressed')
  })

  it('closes the connection if the answer does not end', async () => {
    override = { path, respond: sendEndlessly }
    await expect(ask()).rejects.toThrow('more than 262144 bytes')
    // The count includes bytes that are still in the operating system's buffers.
    expect(sent).toBeLessThan(32 * 1024 * 1024)
  })
})

describe('fetchPlain', () => {
  it('returns the body, status and headers', async () => {
    override = {
      path: '/x',
      respond: (res, text) => res.writeHead(401, { 'www-authenticate': 'Bearer' }).end(text),
    }
    const answer = await fetchPlain(`${url}/x`)
    expect([answer.status, answer.headers.get('www-authenticate'), await answer.text()]).toEqual([
      ...[401, 'Bearer'],
      '{}',
    ])
    override = { path: '/x', respond: res => res.writeHead(204).end() }
    expect((await fetchPlain(`${url}/x`)).status).toBe(204)
  })
})
