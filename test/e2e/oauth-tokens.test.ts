import { generateKeyPair, UnsecuredJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startAuthorizationServer } from '../support/authorization-server.ts'
import { cleanUp } from '../support/clean-up.ts'
import { type Gateway, readiness, Site, startGateway, startGatewayAt } from '../support/gateway.ts'
import {
  bearer,
  LegacyClient,
  ModernClient,
  type Reply,
  refusalOf,
  send,
  textOf,
} from '../support/raw-mcp.ts'
import { DESTROYS, ScriptedServer, scripted, WRITES } from '../support/scripted-server.ts'
import { callsSeenBy } from '../support/search-client.ts'
import { TokenIssuer } from '../support/token-issuer.ts'
import { openWitness, type Witness } from '../support/witness.ts'

const RESOURCE = 'https://mcp.example.test'

afterAll(cleanUp)

describe('access tokens of an issuer', () => {
  let witness: Witness
  let issuer: TokenIssuer
  let other: TokenIssuer
  let real: Awaited<ReturnType<typeof startAuthorizationServer>>
  let gateway: Gateway

  beforeAll(async () => {
    witness = await openWitness()
    issuer = await TokenIssuer.start()
    other = await TokenIssuer.start()
    real = await startAuthorizationServer()
    const tools = [
      scripted('read'),
      scripted('write', { annotations: WRITES }),
      scripted('destroy', { annotations: DESTROYS }),
    ]
    const things = new ScriptedServer('things', witness, tools)
    const hidden = new ScriptedServer('hidden', witness, tools)
    const reads = { permissions: ['retrieve_tools', 'read'], servers: ['things'] }
    const grants = [
      { when: { scope: 'mcp:admin', groups: 'operators' }, role: 'viewer' },
      { when: { scope: 'mcp:write' }, permissions: ['retrieve_tools', 'read', 'write'], servers: ['things'] },
      { when: { scope: 'mcp:read' }, ...reads },
    ]
    const site = new Site({
      mcpServers: { things: things.config, hidden: hidden.config },
      oauth: {
        resource: RESOURCE,
        issuers: [
          { issuer: issuer.url, clockSkew: '1s', grants },
          { issuer: real.issuer, grants: [{ when: { scope: 'mcp:read' }, ...reads }] },
        ],
      },
    })
    gateway = await startGatewayAt(site)
    await Promise.all(['things', 'hidden'].map(name => gateway.says(readiness(name))))
  })

  const client = (token: string, server = 'things') => new ModernClient(gateway.endpoint(server), token)
  async function open(token: string, server = 'things'): Promise<Reply> {
    const reply = client(token, server).openCall('read', { by: 'nobody' })
    await reply.closed
    return reply
  }
  const calls = async () => {
    const good = await issuer.sign({ audience: RESOURCE })
    return callsSeenBy('things', witness, mark => client(good).call('echo', mark))
  }

  it('grant what their claims say, and nothing else', async () => {
    const reader = client(await issuer.sign({ audience: RESOURCE }))
    expect(textOf(await reader.call('read', {}))).toContain('read')
    expect(refusalOf(await reader.call('write', {}))).toBe('permission_denied')
    const writer = client(
      await issuer.sign({ audience: [RESOURCE, 'x'], claims: { scope: 'a mcp:write b' } }),
    )
    expect(textOf(await writer.call('write', {}))).toContain('write')
    expect(refusalOf(await writer.call('destroy', {}))).toBe('permission_denied')
    expect((await open(await issuer.sign({ audience: RESOURCE }), 'hidden')).status).toBe(404)
  })

  it('of a real authorization server are accepted', async () => {
    const token = await real.clientCredentials({ scope: 'mcp:read', resource: RESOURCE })
    expect(textOf(await client(token).call('read', {}))).toContain('read')
    const foreign = await real.clientCredentials({
      scope: 'mcp:read',
      resource: 'https://other.example.test',
    })
    expect((await open(foreign)).status).toBe(401)
  })

  it('with any defect are refused before a call is sent', async () => {
    const stranger = (await generateKeyPair('ES256')).privateKey
    const secret = new TextEncoder().encode(await issuer.publicKeyText())
    const good = await issuer.sign({ audience: RESOURCE })
    const [head = '', body = '', signature = ''] = good.split('.')
    const wrong: Readonly<Record<string, string>> = {
      'for somebody else': await issuer.sign({ audience: 'https://other.example.test' }),
      'for an address that ours begins with': await issuer.sign({ audience: `${RESOURCE}.evil.test` }),
      'for an address that begins like ours': await issuer.sign({ audience: 'https://mcp.example' }),
      'for nobody': await issuer.sign({ audience: [] }),
      expired: await issuer.sign({ audience: RESOURCE, expires: '-1m' }),
      'not valid yet': await issuer.sign({ audience: RESOURCE, claims: { nbf: Date.now() / 1000 + 600 } }),
      'signed by a stranger': await issuer.sign({ audience: RESOURCE, signedBy: stranger }),
      'signed by a key nobody knows': await issuer.sign({ audience: RESOURCE, signedBy: stranger, kid: 'x' }),
      'signed with the public key as a secret': await issuer.sign({
        audience: RESOURCE,
        alg: 'HS256',
        signedBy: secret,
      }),
      'not signed': new UnsecuredJWT({ sub: 'robot', scope: 'mcp:read' })
        .setIssuer(issuer.url)
        .setAudience(RESOURCE)
        .setExpirationTime('5m')
        .encode(),
      'of an issuer we do not know': await other.sign({ audience: RESOURCE }),
      'of another issuer in the name of ours': await other.sign({
        audience: RESOURCE,
        claims: { iss: issuer.url },
      }),
      'with a name that is none': await issuer.sign({ audience: RESOURCE, claims: { sub: 7 } }),
      changed: `${head}.${Buffer.from(Buffer.from(body, 'base64url').toString().replace('robot', 'admin')).toString('base64url')}.${signature}`,
      'cut off': `${head}.${body}.`,
      'no token at all': 'a.b.c',
      'very long': `${'a'.repeat(9000)}.${body}.${signature}`,
    }
    const before = (await calls()).length
    for (const [what, token] of Object.entries(wrong)) {
      const reply = await open(token)
      expect([what, reply.status]).toEqual([what, 401])
      expect(reply.headers['www-authenticate']).toContain('error="invalid_token"')
      expect(reply.text).not.toContain('jose')
    }
    expect(await calls()).toHaveLength(before)
    expect(other.asked).toBe(0)
  })

  it('without grants are forbidden', async () => {
    for (const claims of [{ scope: 'mcp:readx' }, { scope: '' }, { scope: 7 }, { scope: 'mcp:admin' }]) {
      const reply = await open(await issuer.sign({ audience: RESOURCE, claims }))
      expect(reply.status).toBe(403)
      expect(reply.headers['www-authenticate']).toContain('error="insufficient_scope"')
    }
  })

  it('for one path work on that path only', async () => {
    const token = await issuer.sign({ audience: `${RESOURCE}/mcp/servers/things` })
    expect(textOf(await client(token).call('read', {}))).toContain('read')
    const elsewhere = await send(`${gateway.url}/mcp`, {
      body: '{}',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    })
    expect(elsewhere.status).toBe(404)
    for (const path of ['/readyz', '/metrics']) {
      const reply = await send(`${gateway.url}${path}`, { method: 'GET', headers: bearer(token) })
      expect([path, reply.status]).toEqual([path, 404])
    }
  })

  it('are announced in public metadata', async () => {
    const path = '/.well-known/oauth-protected-resource/mcp/servers/things'
    const metadata = await fetch(`${gateway.url}${path}`)
    expect(await metadata.json()).toMatchObject({
      resource: `${RESOURCE}/mcp/servers/things`,
      authorization_servers: [issuer.url, real.issuer],
      scopes_supported: ['mcp:admin', 'mcp:write', 'mcp:read'],
    })
    const anonymous = await send(gateway.endpoint('things'), { body: '{}' })
    expect(anonymous.status).toBe(401)
    expect(anonymous.headers['www-authenticate']).toBe(
      `Bearer realm="hintgate", resource_metadata="${RESOURCE}${path}"`,
    )
  })

  it('with the same name are one caller, so a session survives its first token', async () => {
    const sign = (claims: object) => issuer.sign({ audience: RESOURCE, claims: { ...claims } })
    const url = gateway.endpoint('things')
    const { session } = await new LegacyClient(url, await sign({ jti: '1' })).initialize()
    expect(session).not.toBe('')
    const renewed = new LegacyClient(url, await sign({ jti: '2' }))
    const thief = new LegacyClient(url, await sign({ sub: 'thief' }))
    for (const client of [renewed, thief]) client.session = session
    expect((await renewed.request('tools/list')).result).toBeDefined()
    const reply = thief.open('tools/list')
    await reply.closed
    expect(reply.status).toBe(404)
  })

  it('of people give access to the admin API by role, and to no tool', async () => {
    const claims = { scope: 'mcp:admin', groups: ['staff', 'operators'] }
    const token = await issuer.sign({ audience: RESOURCE, claims })
    const headers = { authorization: `Bearer ${token}` }
    expect((await fetch(`${gateway.url}/metrics`, { headers })).status).toBe(200)
    expect((await open(token)).status).toBe(404)
  })

  it('still work after the issuer rotated its keys', async () => {
    await issuer.rotate()
    const after = await issuer.sign({ audience: RESOURCE })
    // Keys are requested at most once every few seconds, so that made-up key ids cause no flood.
    const deadline = Date.now() + 20_000
    let status = 0
    while (status !== 200 && Date.now() < deadline) {
      status = (await open(after)).status
      await new Promise(resolve => setTimeout(resolve, 100))
    }
    expect(status).toBe(200)
    expect(issuer.asked).toBeLessThanOrEqual(3)
  })

  it('that were accepted still work while the issuer is unreachable', async () => {
    const known = await issuer.sign({ audience: RESOURCE })
    expect((await open(known)).status).toBe(200)
    issuer.isDown = true
    expect((await open(known)).status).toBe(200)
  })
})

it('an edit of the config changes the metadata without a restart', async () => {
  const gateway = await startGateway({})
  const metadata = () => fetch(`${gateway.url}/.well-known/oauth-protected-resource/mcp`)
  const challenge = async () => (await send(`${gateway.url}/mcp`, { body: '{}' })).headers['www-authenticate']
  expect((await metadata()).status).toBe(401)
  expect(await challenge()).toBe('Bearer realm="hintgate"')
  for (const resource of [RESOURCE, 'https://moved.example.test']) {
    const grants = [{ when: { scope: 'mcp:read' }, permissions: ['read'], servers: ['*'] }]
    const issuers = [{ issuer: 'https://issuer.example.test', grants }]
    gateway.site.configure({ oauth: { resource, issuers } })
    await expect.poll(challenge).toContain(`resource_metadata="${resource}/`)
    expect(await (await metadata()).json()).toMatchObject({ resource: `${resource}/mcp` })
  }
  gateway.site.configure({})
  await expect.poll(challenge).toBe('Bearer realm="hintgate"')
  expect((await metadata()).status).toBe(401)
  await gateway.stop()
})
