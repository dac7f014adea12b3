import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AuthorizationServer, startAuthorizationServer } from '../support/authorization-server.ts'
import { cleanUp } from '../support/clean-up.ts'
import { findFreePort } from '../support/free-port.ts'
import { type Gateway, type GatewayConfig, readiness, Site, startGatewayAt } from '../support/gateway.ts'
import { hintgate } from '../support/hintgate.ts'
import { type ProtectedServer, startProtectedServer } from '../support/protected-server.ts'
import { ModernClient, refusalOf, textOf } from '../support/raw-mcp.ts'

interface Scene {
  readonly site: Site
  readonly gateway: Gateway
  readonly server: ProtectedServer
  readonly issuer: AuthorizationServer
  readonly client: ModernClient
  call(): Promise<string>
}

/** A gateway in front of a server that requires tokens. */
async function play(oauth: object | true, { ttl = 600 } = {}): Promise<Scene> {
  const issuer = await startAuthorizationServer(ttl)
  const server = await startProtectedServer(issuer.issuer)
  const { id: clientId, secret: clientSecret } = issuer.client
  const own = oauth === true ? true : { clientId, clientSecret, issuer: issuer.issuer, ...oauth }
  const site = new Site({
    mcpServers: { crm: { url: server.url, oauth: own, trust: 'trusted', retry: false } },
  })
  const gateway = await startGatewayAt(site, {}, `127.0.0.1:${await findFreePort()}`)
  const client = new ModernClient(gateway.endpoint('crm'), await site.token())
  const call = async () => {
    const answer = await client.call('test_simple_text', {})
    return refusalOf(answer) ?? textOf(answer)
  }
  return { site, gateway, server, issuer, client, call }
}

const GREETING = /^This is a simple text/

describe('a server with client credentials', () => {
  let scene: Scene
  beforeAll(async () => {
    scene = await play({ grant: 'client_credentials', scope: 'mcp:read' }, { ttl: 3 })
    await scene.gateway.says(readiness('crm'))
  })
  afterAll(cleanUp)

  it('receives a token of the gateway, never that of the caller', async () => {
    expect(await scene.call()).toMatch(GREETING)
    expect(scene.server.tokens.every(token => token.split('.').length === 3)).toBe(true)
  })

  it('gets one new token after expiry, however many calls are running', async () => {
    await new Promise(resolve => setTimeout(resolve, 3500))
    const before = scene.issuer.tokenRequests
    const answers = await Promise.all(Array.from({ length: 30 }, () => scene.call()))
    for (const answer of answers) expect(answer).toMatch(GREETING)
    expect(scene.issuer.tokenRequests).toBe(before + 1)
  })

  it('has encrypted tokens that appear in no output', async () => {
    const written = [
      readFileSync(join(scene.site.home, 'data', 'hintgate.db')),
      readFileSync(join(scene.site.home, 'data', 'hintgate.db-wal')),
      Buffer.from(scene.gateway.stderr.items.join('\n')),
      Buffer.from((await hintgate(['audit', 'export', ...scene.site.flags])).stdout),
      Buffer.from((await hintgate(['servers', 'show', 'crm', ...scene.site.flags])).stdout),
    ]
    expect(scene.server.tokens.length).toBeGreaterThan(0)
    for (const bytes of written)
      for (const token of [...scene.server.tokens, scene.issuer.client.secret])
        expect(bytes.includes(token)).toBe(false)
  })

  it('fails calls with a reason if no token can be obtained', async () => {
    scene.issuer.refuseTokens(true)
    await new Promise(resolve => setTimeout(resolve, 3500))
    expect(await scene.call()).toBe('upstream_unavailable')
    scene.issuer.refuseTokens(false)
    expect(await scene.call()).toMatch(GREETING)
  })

  it('gets a token with more scopes when it requires them', async () => {
    scene.server.demand('mcp:write')
    expect(await scene.call()).toMatch(GREETING)
  })
})

describe("a server with a person's sign-in", () => {
  let scene: Scene
  beforeAll(async () => {
    scene = await play(true)
    await scene.gateway.says(/crm is down: .*sign in/)
  })
  afterAll(cleanUp)

  const login = async (): Promise<string> => {
    const { code, stdout, stderr } = await hintgate([
      'servers',
      'login',
      'crm',
      '--json',
      ...scene.site.flags,
      ...['--config', scene.site.configFile],
    ])
    expect([code, stderr]).toEqual([0, ''])
    return (JSON.parse(stdout) as { url: string }).url
  }

  it('is usable right after sign-in, and the callback works once', async () => {
    scene.site.configure(listening(scene))
    expect(await scene.call()).toBe('upstream_unavailable')
    const start = new URL(await login())
    expect(start.searchParams.get('code_challenge_method')).toBe('S256')
    const back = await scene.issuer.signIn(start.href)
    expect(back).toContain('/oauth/callback?')
    const forged = new URL(back)
    forged.searchParams.set('state', `${forged.searchParams.get('state')}x`)
    expect((await fetch(forged)).status).toBe(400)
    const done = await fetch(back)
    expect([done.status, await done.text()]).toEqual([200, expect.stringContaining('crm')])
    await scene.gateway.says(readiness('crm'))
    expect(await scene.call()).toMatch(GREETING)
    expect((await fetch(back)).status).toBe(400)
    expect(await scene.call()).toMatch(GREETING)
  })

  it('stays signed in after a restart, but not after signing out', async () => {
    await scene.gateway.stop('SIGKILL')
    const again = await startGatewayAt(scene.site, {}, new URL(scene.gateway.url).host)
    await again.says(readiness('crm'))
    expect(await scene.call()).toMatch(GREETING)
    const { stdout } = await hintgate(['servers', 'logout', 'crm', ...scene.site.flags])
    expect(stdout).toContain('Deleted the credentials for crm')
    await again.stop()
    const last = await startGatewayAt(scene.site, {}, new URL(scene.gateway.url).host)
    await last.says(/crm is down: .*sign in/)
  })
})

describe('a server that redirects the gateway elsewhere', () => {
  let scene: Scene
  beforeAll(async () => {
    scene = await play(true)
  })
  afterAll(cleanUp)

  it.each([
    'http://169.254.169.254',
    'http://10.0.0.1',
    'https://192.168.1.1',
    'https://[::ffff:127.0.0.1]',
    'https://[64:ff9b::a00:1]',
    'https://[2002:7f00:1::]',
    'https://100.64.0.1',
  ])('is not followed to %s', async target => {
    scene.server.lie({ authorization_servers: [target] })
    const { code, stderr } = await hintgate(['servers', 'login', 'crm', ...scene.site.flags])
    expect(code).toBe(1)
    expect(stderr).toMatch(/not on the public internet|not encrypted/)
  })

  it('gets no client secret that belongs to another issuer', async () => {
    const other = await startAuthorizationServer()
    const strict = await play({ grant: 'client_credentials', issuer: other.issuer })
    await strict.gateway.says(/crm is down/)
    expect(strict.issuer.tokenRequests).toBe(0)
    expect(other.tokenRequests).toBe(0)
  })
})

/** The config with the listen address, which the command line does not know otherwise. */
function listening({ site, gateway }: Scene): GatewayConfig {
  const config = JSON.parse(readFileSync(site.configFile, 'utf8')) as GatewayConfig
  return { ...config, listen: new URL(gateway.url).host }
}
