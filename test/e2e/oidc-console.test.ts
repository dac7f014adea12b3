import { type IncomingMessage, request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AuthorizationServer, startAuthorizationServer } from '../support/authorization-server.ts'
import { cleanUp } from '../support/clean-up.ts'
import { findFreePort } from '../support/free-port.ts'
import { type Gateway, Site, startGatewayAt } from '../support/gateway.ts'
import { Reply } from '../support/raw-mcp.ts'

const CLIENT = { client_id: 'console', client_secret: 'a-secret-for-the-console-0123456789' }

describe('console sign-in with OpenID Connect', () => {
  let issuer: AuthorizationServer
  let gateway: Gateway
  let behindProxy: Gateway

  beforeAll(async () => {
    const [address, proxied] = [`127.0.0.1:${await findFreePort()}`, `127.0.0.1:${await findFreePort()}`]
    const url = `http://${address}`
    const callbacks = [`${url}/oidc/callback`, `http://${proxied}/oidc/callback`]
    issuer = await startAuthorizationServer(600, [{ ...CLIENT, redirect_uris: callbacks }])
    gateway = await startGatewayAt(new Site(configOf(url, 'approver')), {}, address)
    const behind = { ...configOf(`http://${proxied}`, 'approver'), behindProxy: true }
    behindProxy = await startGatewayAt(new Site(behind), {}, proxied)
  })
  afterAll(cleanUp)

  const configOf = (url: string, role: string, sub = 'ada') => ({
    oauth: {
      resource: url,
      issuers: [{ issuer: issuer.issuer, grants: [{ when: { sub }, role }] }],
      console: {
        issuer: issuer.issuer,
        clientId: CLIENT.client_id,
        clientSecret: CLIENT.client_secret,
        scope: 'openid',
      },
    },
  })

  /** The address that the browser is sent to, and its cookie. */
  async function begin(): Promise<{ target: string; cookie: string }> {
    const answer = await fetch(`${gateway.url}/oidc/start`, { redirect: 'manual' })
    expect(answer.status).toBe(302)
    const [cookie = ''] = answer.headers.getSetCookie()
    expect(cookie).toMatch(/HttpOnly; SameSite=Lax/)
    return { target: answer.headers.get('location') ?? '', cookie: cookie.split(';')[0] ?? '' }
  }

  async function comeBack(back: string, cookie: string): Promise<Response> {
    return fetch(back, { redirect: 'manual', headers: { cookie } })
  }

  it('is offered if it is configured', async () => {
    expect((await fetch(`${gateway.url}/oidc/start`, { method: 'HEAD' })).status).toBe(204)
  })

  it('gives a session with the role that the claims grant', async () => {
    const { target, cookie } = await begin()
    const query = new URL(target).searchParams
    expect([query.get('code_challenge_method'), query.get('nonce')?.length]).toEqual(['S256', 43])
    const back = await issuer.signIn(target)
    const done = await comeBack(back, cookie)
    const location = done.headers.get('location') ?? ''
    expect(location).toMatch(/^\/#code=hg_admin_/)
    const signedIn = await fetch(`${gateway.url}/api/v1/sign-in`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ code: location.slice('/#code='.length) }),
    })
    expect(await signedIn.json()).toMatchObject({ name: expect.stringContaining('ada@'), role: 'approver' })
    // The code of the issuer works once.
    expect((await comeBack(back, cookie)).status).toBe(403)
  })

  it('rejects a callback from another browser or with other values', async () => {
    const [mine, theirs] = [await begin(), await begin()]
    const back = await issuer.signIn(theirs.target)
    const before = issuer.tokenRequests
    expect((await comeBack(back, mine.cookie)).status).toBe(403)
    expect((await comeBack(back, '')).status).toBe(403)
    expect((await comeBack(back, 'hintgate_oidc=made-up')).status).toBe(403)
    const changed = new URL(back)
    changed.searchParams.set('iss', 'https://other.example.test')
    expect((await comeBack(changed.href, theirs.cookie)).status).toBe(403)
    expect(issuer.tokenRequests).toBe(before)
  })

  it('asks the issuer once per started sign-in, however often the callback is repeated', async () => {
    const { target, cookie } = await begin()
    const state = new URL(target).searchParams.get('state')
    const made = (code: string) => `${gateway.url}/oidc/callback?code=${code}&state=${state}`
    const before = issuer.tokenRequests
    await Promise.all(['a', 'b', 'c', 'd'].map(code => comeBack(made(code), cookie)))
    expect(issuer.tokenRequests).toBe(before + 1)
  })

  it('can be started any number of times without a request to the issuer each time', async () => {
    await begin()
    const before = issuer.metadataRequests
    await Promise.all(Array.from({ length: 50 }, begin))
    expect(issuer.metadataRequests).toBe(before)
  })

  it('gives a session that ends when the config stops granting it', async () => {
    const { target, cookie } = await begin()
    const done = await comeBack(await issuer.signIn(target), cookie)
    const signedIn = await fetch(`${gateway.url}/api/v1/sign-in`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ code: done.headers.get('location')?.slice('/#code='.length) }),
    })
    const session = { cookie: signedIn.headers.getSetCookie()[0]?.split(';')[0] ?? '' }
    const events = new Reply(`${gateway.url}/api/v1/events`, { method: 'GET', headers: session })
    await events.opened
    const me = async () => {
      const answer = await fetch(`${gateway.url}/api/v1/me`, { headers: session })
      return [answer.status, ((await answer.json()) as { role?: string }).role]
    }
    expect(await me()).toEqual([200, 'approver'])
    const { site, url } = gateway
    site.configure(configOf(url, 'viewer'))
    await expect.poll(me).toEqual([200, 'viewer'])
    await events.closed
    for (const config of [configOf(url, 'approver', 'somebody-else'), {}]) {
      site.configure(config)
      await expect.poll(me).toEqual([401, undefined])
      site.configure(configOf(url, 'approver'))
      await expect.poll(me).toEqual([200, 'approver'])
    }
  })

  it('rejects a person without a role', async () => {
    const { target, cookie } = await begin()
    const back = await issuer.signIn(target, 'eve')
    expect((await comeBack(back, cookie)).status).toBe(403)
  })

  it('is blocked after too many failures', async () => {
    gateway.site.configure(configOf(gateway.url, 'approver'))
    const isOffered = async () => (await fetch(`${gateway.url}/oidc/start`, { method: 'HEAD' })).status
    await expect.poll(isOffered).toBe(204)
    const before = issuer.tokenRequests
    const statuses: number[] = []
    for (let count = 0; count < 12; count++) {
      const { target, cookie } = await begin()
      const state = new URL(target).searchParams.get('state')
      const answer = await comeBack(`${gateway.url}/oidc/callback?code=made-up&state=${state}`, cookie)
      statuses.push(answer.status)
    }
    expect(new Set(statuses)).toEqual(new Set([403, 429]))
    expect(statuses.at(-1)).toBe(429)
    expect(issuer.tokenRequests - before).toBeLessThanOrEqual(10)
  })

  it.each([
    ['from many addresses', () => gateway],
    ['behind a proxy', () => behindProxy],
  ])('works for legitimate users whatever invalid callbacks others send %s', async (_, at) => {
    const { url } = at()
    for (let count = 0; count < 110; count++) {
      const stranger = `127.0.0.${2 + Math.floor(count / 10)}`
      const { target, cookie } = await beginFrom(url, stranger)
      const state = new URL(target).searchParams.get('state')
      await getFrom(stranger, `${url}/oidc/callback?code=made-up&state=${state}`, cookie)
    }
    const { target, cookie } = await beginFrom(url, '127.0.0.100')
    const done = await getFrom('127.0.0.100', await issuer.signIn(target), cookie)
    expect([done.statusCode, done.headers.location]).toEqual([
      302,
      expect.stringMatching(/^\/#code=hg_admin_/),
    ])
  })
})

async function beginFrom(url: string, address: string): Promise<{ target: string; cookie: string }> {
  const { headers } = await getFrom(address, `${url}/oidc/start`)
  return { target: headers.location ?? '', cookie: headers['set-cookie']?.[0]?.split(';')[0] ?? '' }
}

/** All of 127.0.0.0/8 is this machine. */
function getFrom(localAddress: string, url: string, cookie = ''): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { localAddress, headers: { cookie }, agent: false }, answer => {
      answer.resume().once('end', () => resolve(answer))
    })
    asked.once('error', reject).end()
  })
}
