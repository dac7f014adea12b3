import { get } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addressOf } from '../../packages/gateway/src/admin/client.ts'
import {
  OPERATIONS,
  type OperationName,
  ROLES,
  SCHEMAS,
  type Schemas,
} from '../../packages/gateway/src/admin/contract/contract.ts'
import type { Operation } from '../../packages/gateway/src/admin/contract/operations.ts'
import { personToken, signIn } from '../support/admin.ts'
import { cleanUp } from '../support/clean-up.ts'
import { type Gateway, Site, startGatewayAt, startReadyGateway, stdioServer } from '../support/gateway.ts'
import { hintgate } from '../support/hintgate.ts'
import { openWitness } from '../support/witness.ts'

afterAll(cleanUp)

type Caller = 'anonymous' | 'bad token' | 'agent' | (typeof ROLES)[number] | 'cookie without header'

const PARAMS = { id: 'x', server: 's', name: 'x', fingerprint: 'a'.repeat(64), request: 'x', path: 'x.yaml' }
const NAMES = Object.keys(OPERATIONS) as OperationName[]

let gateway: Gateway
const credentials = new Map<Caller, Record<string, string>>()

beforeAll(async () => {
  const witness = await openWitness()
  gateway = await startReadyGateway({ mcpServers: { s: stdioServer('s', witness) } })
  const { site } = gateway
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
  credentials.set('anonymous', {})
  credentials.set('bad token', bearer(`hg_admin_${'A'.repeat(43)}`))
  credentials.set('agent', bearer(await site.token()))
  for (const role of ROLES) credentials.set(role, bearer(await personToken(site, role)))
  credentials.set('cookie without header', { cookie: await signIn(gateway) })
})

/** Sends an empty body, so that an admitted caller gets an error about the missing input. */
async function ask(name: OperationName, caller: Caller): Promise<{ status: number; code: string }> {
  const { method, needsMatch }: Operation = OPERATIONS[name]
  const { params }: Schemas = SCHEMAS[name]
  const abort = new AbortController()
  const address = addressOf(name, {
    params: params === undefined ? {} : PARAMS,
  })
  const response = await fetch(`${gateway.url}${address}`, {
    method,
    headers: { ...credentials.get(caller), ...(needsMatch ? { 'if-match': '"x"' } : {}) },
    signal: abort.signal,
  })
  const isProblem = response.headers.get('content-type') === 'application/problem+json'
  const code = isProblem ? ((await response.json()) as { code: string }).code : ''
  abort.abort()
  return { status: response.status, code }
}

/** The expected answer for each caller, by the role table of the contract. */
function expected({ method, role }: Operation, caller: Caller): string {
  if (role === 'public') return 'let in'
  if (caller === 'anonymous' || caller === 'bad token') return '401 not_signed_in'
  if (caller === 'agent') return '403 not_for_agents'
  if (caller === 'cookie without header') return method === 'GET' ? 'let in' : '403 csrf'
  return ROLES.indexOf(caller) >= ROLES.indexOf(role) ? 'let in' : '403 role_needed'
}

describe('every path of the admin API', () => {
  const callers: readonly Caller[] = ['anonymous', 'bad token', 'agent', ...ROLES, 'cookie without header']

  it.each(NAMES)('%s answers only the roles that the contract names', async name => {
    for (const caller of callers) {
      const { status, code } = await ask(name, caller)
      const isClosed = status === 401 || status === 403
      const answer = isClosed && code !== 'sign_in_failed' ? `${status} ${code}` : 'let in'
      expect({ name, caller, answer }).toEqual({ name, caller, answer: expected(OPERATIONS[name], caller) })
      expect(status, `${name} for ${caller}`).toBeLessThan(500)
    }
  })

  it('every operation but sign-in requires a role', () => {
    const open = NAMES.filter(name => (OPERATIONS[name] as Operation).role === 'public')
    expect(open).toEqual(['signIn'])
  })

  it('an unknown path gives 401 or 403 without a role, and 404 only with one', async () => {
    const nothing = (headers = {}) => fetch(`${gateway.url}/api/v1/nothing`, { headers })
    expect((await nothing()).status).toBe(401)
    expect((await nothing(credentials.get('agent'))).status).toBe(403)
    expect((await nothing(credentials.get('viewer'))).status).toBe(404)
    const wrong = await fetch(`${gateway.url}/api/v1/me`, {
      method: 'PUT',
      headers: credentials.get('admin') ?? {},
    })
    expect(wrong.status).toBe(405)
  })
})

describe('the console cookie', () => {
  const change = (headers: Record<string, string>) =>
    fetch(`${gateway.url}/api/v1/activity/verify`, {
      method: 'POST',
      headers: { ...credentials.get('cookie without header'), ...headers },
    })

  it('changes something only with the CSRF header and the console as its origin', async () => {
    const own = { 'x-hintgate-csrf': '1', origin: gateway.url }
    expect((await change(own)).status).toBe(200)
    expect((await change({ origin: gateway.url })).status).toBe(403)
    expect((await change({ 'x-hintgate-csrf': '1' })).status).toBe(403)
    // Another program on this machine with a web page.
    expect((await change({ ...own, origin: 'http://127.0.0.1:1' })).status).toBe(403)
    expect((await change({ ...own, origin: 'https://evil.example' })).status).toBe(403)
  })

  it('is accepted by the admin API only', async () => {
    const headers = { ...credentials.get('cookie without header') }
    for (const path of ['/mcp', '/mcp/direct', '/metrics', '/readyz'])
      expect([path, (await fetch(`${gateway.url}${path}`, { headers })).status]).toEqual([path, 401])
  })

  it('cannot be read by scripts or used by other sites, and ends with sign-out', async () => {
    const link = await hintgate([
      'console',
      '--json',
      '--role',
      'viewer',
      '--url',
      gateway.url,
      ...gateway.site.flags,
    ])
    const { link: address } = JSON.parse(link.stdout) as { link: string }
    const [, code] = address.split('#code=')
    const post = (path: string, headers: Record<string, string>, body?: object) =>
      fetch(`${gateway.url}/api/v1/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
    const signedIn = await post('sign-in', {}, { code })
    const set = signedIn.headers.get('set-cookie') ?? ''
    expect(set).toMatch(/; HttpOnly; SameSite=Strict; /)
    expect(await signedIn.json()).toMatchObject({ role: 'viewer' })
    // A code works only once.
    expect((await post('sign-in', {}, { code })).status).toBe(401)
    const cookie = set.split(';')[0] ?? ''
    const me = () => fetch(`${gateway.url}/api/v1/me`, { headers: { cookie } })
    expect(await (await me()).json()).toMatchObject({ role: 'viewer', demo: false })
    // Neither the secret of a session nor a code is a token.
    const secret = cookie.split('=')[1] ?? ''
    const bearer = await fetch(`${gateway.url}/api/v1/me`, { headers: { authorization: `Bearer ${secret}` } })
    expect(bearer.status).toBe(401)
    await post('sign-out', { cookie, 'x-hintgate-csrf': '1', origin: gateway.url })
    expect((await me()).status).toBe(401)
    const { stdout } = await hintgate(['tokens', 'list', '--json', ...gateway.site.flags])
    expect(stdout).not.toContain('console')
  })

  it('does not appear in the log of a gateway', async () => {
    const line = await gateway.stdout.until(said => said.includes('console'))
    expect(line).toBe('to open the console: hintgate console')
    expect(gateway.stdout.items.join('\n')).not.toContain('hg_')
  })

  it('is issued for the link that a gateway prints if it is started with --print-link', async () => {
    const asked = await startGatewayAt(new Site({}), { flags: ['--print-link'] })
    const line = await asked.stdout.until(said => said.startsWith('console '))
    const [, address, code] = /^console (.+)\/#code=(.+)$/.exec(line) ?? []
    expect(address).toBe(asked.url)
    const response = await fetch(`${asked.url}/api/v1/sign-in`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ code }),
    })
    expect(await response.json()).toMatchObject({ role: 'admin' })
  })

  it('hintgate console warns if no gateway runs at the address', async () => {
    const link = (url: string) => hintgate(['console', '--url', url, ...gateway.site.flags])
    expect((await link(gateway.url)).stderr).toBe('')
    // A reserved port on which nothing listens.
    expect((await link('http://127.0.0.1:1')).stderr).toContain('no gateway is running at this address')
  })

  it('is issued once, even if a code is sent several times at once', async () => {
    const { stdout } = await hintgate(['console', '--json', '--url', gateway.url, ...gateway.site.flags])
    const code = /#code=(.+)"/.exec(stdout)?.[1]
    const tries = await Promise.all(
      Array.from({ length: 5 }, () =>
        fetch(`${gateway.url}/api/v1/sign-in`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ code }),
        }),
      ),
    )
    expect(tries.map(({ status }) => String(status)).toSorted()).toEqual(['200', '401', '401', '401', '401'])
  })

  it('cannot be obtained by guessing codes: the attempts are limited', async () => {
    const statuses: number[] = []
    for (let count = 0; count < 12; count++) {
      const response = await fetch(`${gateway.url}/api/v1/sign-in`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ code: `hg_admin_${'B'.repeat(43)}` }),
      })
      statuses.push(response.status)
    }
    expect(statuses.at(-1)).toBe(429)
  })
})

/** Sends the path unchanged; `fetch` would normalise it. */
function statusOf(path: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(gateway.url)
    get({ hostname, port, path }, response => resolve(response.resume().statusCode)).on('error', reject)
  })
}

describe('the console page', () => {
  it('is public, contains no data, and allows only its own scripts', async () => {
    const page = await fetch(`${gateway.url}/`)
    // The console is built separately, and a gateway works without it.
    expect([200, 404]).toContain(page.status)
    const policy = page.headers.get('content-security-policy') ?? ''
    expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self';/)
    expect(policy).toContain("frame-ancestors 'none'")
    expect(page.headers.get('x-content-type-options')).toBe('nosniff')
    for (const path of ['/assets/../../package.json', '/assets/%2e%2e/index.html', '/assets/nothing.js'])
      expect([path, await statusOf(path)]).toEqual([path, 404])
    expect((await fetch(`${gateway.url}/`, { method: 'POST' })).status).toBe(405)
    const [asset] = /assets\/[^"]+\.js/.exec(await page.text()) ?? []
    if (asset === undefined) return
    const script = await fetch(`${gateway.url}/${asset}`)
    expect(script.headers.get('cache-control')).toContain('immutable')
    expect(script.headers.get('content-encoding')).toBe('gzip')
    const etag = page.headers.get('etag') ?? ''
    expect((await fetch(`${gateway.url}/`, { headers: { 'if-none-match': etag } })).status).toBe(304)
  })
})
