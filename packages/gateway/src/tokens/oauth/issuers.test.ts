import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { OAuthConfig } from '../../config/schema/oauth-config.ts'
import { openSqliteStore } from '../../store/sqlite/sqlite-store.ts'
import { createTokens } from '../tokens.ts'
import { createIssuers, type Issuers } from './issuers.ts'

const RESOURCE = 'https://mcp.example'

type Answer = 'keys' | 'fault' | 'nonsense'

describe('an issuer', () => {
  let server: ReturnType<typeof createServer>
  let url: string
  let answer: Answer
  let asked: number
  let errors: unknown[]
  let oauth: OAuthConfig
  let issuers: Issuers
  let pair: Awaited<ReturnType<typeof generateKeyPair>>

  beforeEach(async () => {
    pair = await generateKeyPair('ES256')
    answer = 'keys'
    asked = 0
    errors = []
    server = createServer((_req, res) => {
      asked += 1
      if (answer === 'fault') return void res.writeHead(503).end()
      if (answer === 'nonsense') return void res.end('{"keys":1}')
      void exportJWK(pair.publicKey).then(key =>
        res.end(JSON.stringify({ keys: [{ ...key, alg: 'ES256' }] })),
      )
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const grant = { when: {}, kind: 'agent', scope: { permissions: [], servers: [] } } as const
    const issuer = {
      issuer: url,
      jwks: `${url}/keys`,
      domain: 'id.example',
      audiences: [],
      algorithms: ['ES256'],
      clockSkewMs: 0,
      nameClaim: 'sub',
      grants: [grant],
    }
    oauth = { resource: RESOURCE, issuers: [issuer] }
    issuers = createIssuers(oauth, error => errors.push(error))
  })
  afterEach(() => {
    vi.useRealTimers()
    server.closeAllConnections()
    server.close()
  })

  const sign = (sub = 'bot') =>
    new SignJWT({ sub, iss: url, aud: RESOURCE })
      .setProtectedHeader({ alg: 'ES256' })
      .setExpirationTime('1h')
      .sign(pair.privateKey)

  it.each(['fault', 'nonsense'] as const)('that answers with %s is not asked for every token', async kind => {
    // Time is faked, because on a busy machine the checks would take longer than the pause between two requests to the
    // issuer.
    vi.useFakeTimers({ toFake: ['Date', 'performance'] })
    answer = kind
    for (let count = 0; count < 20; count++)
      expect(await issuers.authenticate(await sign(`bot-${count}`))).toEqual({ code: 'unknown' })
    expect(asked).toBe(1)
    expect(errors).toHaveLength(1)
  })

  describe('that withdrew a key', () => {
    const MINUTES = 60_000
    let token: string
    let credential: string
    beforeEach(async () => {
      vi.useFakeTimers({ toFake: ['Date', 'performance'] })
      token = await sign()
      const accepted = await issuers.authenticate(token)
      credential = 'code' in accepted ? '' : accepted.credential
    })

    it('no longer admits tokens signed with it once its keys are read again', async () => {
      pair = await generateKeyPair('ES256')
      expect(await issuers.recheck(credential)).toMatchObject({ name: 'bot@id.example' })
      vi.advanceTimersByTime(11 * MINUTES)
      expect(await issuers.recheck(credential)).toEqual({ code: 'unknown' })
      expect(await issuers.recheck(credential)).toEqual({ code: 'unknown' })
      expect(await issuers.authenticate(token)).toEqual({ code: 'unknown' })
    })

    it('is not asked again while unreachable, so admitted tokens work until they expire', async () => {
      answer = 'fault'
      vi.advanceTimersByTime(11 * MINUTES)
      expect(await issuers.recheck(credential)).toMatchObject({ name: 'bot@id.example' })
      expect(await issuers.authenticate(token)).toMatchObject({ name: 'bot@id.example' })
      pair = await generateKeyPair('ES256')
      answer = 'keys'
      vi.advanceTimersByTime(MINUTES)
      expect(await issuers.recheck(credential)).toEqual({ code: 'unknown' })
    })

    it('also drops the cached tokens', async () => {
      const folder = mkdtempSync(join(tmpdir(), 'hintgate-issuers-'))
      const store = openSqliteStore(join(folder, 'store.db'))
      const tokens = createTokens({ store, key: Buffer.alloc(32), oauth })
      await tokens.authenticate(token)
      expect(tokens.recall(token)).toMatchObject({ name: 'bot@id.example' })
      vi.advanceTimersByTime(MINUTES)
      expect(tokens.recall(token)).toBeUndefined()
      expect(await tokens.authenticate(token)).toMatchObject({ name: 'bot@id.example' })
      expect(tokens.recall(token)).toMatchObject({ name: 'bot@id.example' })
      await store.close()
      rmSync(folder, { recursive: true })
    })
  })

  it('is asked again soon after it recovers', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'performance'] })
    answer = 'fault'
    const token = await sign()
    await issuers.authenticate(token)
    answer = 'keys'
    vi.advanceTimersByTime(2000)
    expect(await issuers.authenticate(token)).toMatchObject({ name: 'bot@id.example' })
  })
})
