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

type Manner = (res: ServerResponse, text: string) => void

const METADATA = '/.well-known/oauth-authorization-server'
const plainly: Manner = (res, text) => res.end(text)

let server: Server
let url: string
let documents: Readonly<Record<string, object>>
/** How it answers at one path; plainly at all others. */
let odd: { readonly path: string; readonly manner: Manner }
let codings: unknown[]
/** How much left before anybody hung up. */
let sent = 0

beforeAll(async () => {
  server = createServer((req, res) => {
    codings.push(req.headers['accept-encoding'])
    const manner = req.url === odd.path ? odd.manner : plainly
    manner(res, JSON.stringify(documents[req.url ?? ''] ?? {}))
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
  odd = { path: '', manner: plainly }
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

/** Everybody who asks an authorization server for something, and where. */
const ASKERS: readonly (readonly [who: string, path: string, ask: () => Promise<unknown>])[] = [
  ['who wants to know an issuer', METADATA, () => discoverIssuer(url)],
  ['who looks for its keys', '/jwks', verifyKey],
  ['who has somebody sign in to the console', '/token', signIn],
  ['who has a token for a server', '/server', () => createGuardedFetch(url)(`${url}/server`)],
]

/** Goes on until nobody listens. */
function pour(res: ServerResponse): void {
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

describe.each(ASKERS)('%s', (_who, path, ask) => {
  it('asks for what is not compressed, and takes that', async () => {
    await ask()
    expect(codings.length).toBeGreaterThan(0)
    for (const coding of codings) expect(coding).toBe('identity')
    odd = { path, manner: (res, text) => res.setHeader('content-encoding', 'Identity').end(text) }
    await ask()
  })

  it.each(['gzip', 'br', 'deflate', 'identity, gzip', 'x-other'])('takes nothing in %s', async coding => {
    odd = { path, manner: (res, text) => res.setHeader('content-encoding', coding).end(gzipSync(text)) }
    await expect(ask()).rejects.toThrow('compressed')
  })

  it('hangs up on what does not end', async () => {
    odd = { path, manner: pour }
    await expect(ask()).rejects.toThrow('more than 262144 bytes')
    // What the system keeps on the way has left, too.
    expect(sent).toBeLessThan(32 * 1024 * 1024)
  })
})

describe('a plain answer', () => {
  it('is what was said, with its status and headers', async () => {
    odd = {
      path: '/x',
      manner: (res, text) => res.writeHead(401, { 'www-authenticate': 'Bearer' }).end(text),
    }
    const answer = await fetchPlain(`${url}/x`)
    expect([answer.status, answer.headers.get('www-authenticate'), await answer.text()]).toEqual([
      ...[401, 'Bearer'],
      '{}',
    ])
    odd = { path: '/x', manner: res => res.writeHead(204).end() }
    expect((await fetchPlain(`${url}/x`)).status).toBe(204)
  })
})
