import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createIssuers, type Issuers } from './issuers.ts'

const RESOURCE = 'https://mcp.example'

type Answer = 'keys' | 'fault' | 'nonsense'

describe('an issuer', () => {
  let server: ReturnType<typeof createServer>
  let url: string
  let answer: Answer
  let asked: number
  let errors: unknown[]
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
    issuers = createIssuers({ resource: RESOURCE, issuers: [issuer] }, error => errors.push(error))
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
    answer = kind
    for (let count = 0; count < 20; count++)
      expect(await issuers.authenticate(await sign(`bot-${count}`))).toEqual({ code: 'unknown' })
    expect(asked).toBe(1)
    expect(errors).toHaveLength(1)
  })

  it('that is well again is asked again soon', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'performance'] })
    answer = 'fault'
    const token = await sign()
    await issuers.authenticate(token)
    answer = 'keys'
    vi.advanceTimersByTime(2000)
    expect(await issuers.authenticate(token)).toMatchObject({ name: 'bot@id.example' })
  })
})
