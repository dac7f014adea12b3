import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cleanUp } from '../support/clean-up.ts'
import { type Gateway, startReadyGateway } from '../support/gateway.ts'
import { hintgate } from '../support/hintgate.ts'
import { bearer, LegacyClient, ModernClient, Reply, send } from '../support/raw-mcp.ts'
import { ScriptedServer, scripted } from '../support/scripted-server.ts'
import { TokenIssuer } from '../support/token-issuer.ts'
import { openWitness, type Witness } from '../support/witness.ts'

// An issuer chooses the names of its callers. Whatever it writes into a name, the name never equals that of another
// caller.

const RESOURCE = 'https://mcp.example.test'

let witness: Witness
let issuer: TokenIssuer
let gateway: Gateway

beforeAll(async () => {
  witness = await openWitness()
  issuer = await TokenIssuer.start()
  const box = new ScriptedServer('box', witness, [scripted('read')], { more: { isolation: 'session' } })
  const grants = [
    { when: { groups: 'staff' }, role: 'viewer' },
    { when: {}, permissions: ['read', 'destructive'], servers: ['*'] },
  ]
  // Like the realms or tenants of one provider.
  const issuers = ['a', 'b'].map(tenant => ({
    issuer: `${issuer.url}/${tenant}`,
    jwks: `${issuer.url}/keys`,
    grants,
  }))
  gateway = await startReadyGateway({
    mcpServers: { box: box.config },
    oauth: { resource: RESOURCE, issuers },
  })
})
afterAll(cleanUp)

const sign = (tenant: 'a' | 'b', sub: string, claims: object = {}, expires = '5m'): Promise<string> =>
  issuer.sign({ audience: RESOURCE, claims: { iss: `${issuer.url}/${tenant}`, sub, ...claims }, expires })

describe('a caller with the same name from another issuer on the same host', () => {
  it('cannot use the sessions of the first', async () => {
    const url = gateway.endpoint('box')
    const mine = await new LegacyClient(url, await sign('a', 'alice')).initialize()
    const other = new LegacyClient(url, await sign('b', 'alice'))
    other.session = mine.session
    expect((await other.listen()).status).toBe(404)
    const listed = other.open('tools/list')
    await listed.closed
    expect([listed.status, (await other.end()).status]).toEqual([404, 404])
    expect((await mine.request('tools/list')).result).toBeDefined()
  })
})

describe('a name chosen by an issuer', () => {
  const read = (token: string, mark: string, meta: Readonly<Record<string, unknown>> = {}) =>
    new ModernClient(gateway.endpoint('box'), token).call('read', { mark }, { meta })
  const processOf = (mark: string) => witness.of('box').find(({ raw }) => raw?.includes(mark))?.pid

  it("cannot equal the name of another caller's session", async () => {
    const { name, token } = await gateway.site.namedToken()
    await read(await sign('a', `${name}/x`), 'of-theirs')
    const domain = `${new URL(issuer.url).host}/a`
    for (const [mark, session] of [
      ['of-ours-plainly', `x@${domain}`],
      ['of-ours-escaped', `x@${domain.replace('/', '%2F')}`],
    ] as const)
      await read(token, mark, { 'io.hintgate/session': session })
    const processes = ['of-theirs', 'of-ours-plainly', 'of-ours-escaped'].map(processOf)
    expect(processes).not.toContain(undefined)
    expect(new Set(processes).size).toBe(3)
  })

  it('is refused if it contains hidden characters, and the operator learns why without seeing it', async () => {
    const odd = {
      'a line break': 'x\nhintgate: everything is fine',
      'an escape': 'x\u001b[2J',
      'a turn of direction': 'x\u202Ecba',
      'a hidden character': 'al\u200Bice',
      'half a character': 'x\ud800',
      'more than the log keeps': 'n'.repeat(240),
    }
    for (const [what, sub] of Object.entries(odd)) {
      const reply = new ModernClient(gateway.endpoint('box'), await sign('b', sub)).openCall('read', {})
      await reply.closed
      expect([what, reply.status]).toEqual([what, 401])
    }
    await gateway.says(/was rejected: .*"sub"/)
    const said = gateway.stderr.items.join('\n')
    for (const sub of Object.values(odd)) expect(said).not.toContain(sub)
  })

  it('of the maximum length is completely in the log', async () => {
    const domain = `${new URL(issuer.url).host}/a`
    const sub = 'n'.repeat(256 - `person:@${domain}`.length)
    await read(await sign('a', sub), 'of-the-longest')
    const query = () => hintgate(['audit', 'query', '--json', ...gateway.site.flags])
    await expect.poll(async () => (await query()).stdout).toContain(`agent:${sub}@${domain}"`)
  })
})

describe('when a token expires', () => {
  it('its open streams end at once', async () => {
    const events = new Reply(`${gateway.url}/api/v1/events`, {
      method: 'GET',
      headers: bearer(await sign('a', 'eve', { groups: 'staff' }, '4s')),
    })
    await events.opened
    const token = await sign('a', 'mallory', {}, '4s')
    const stream = await (await new LegacyClient(gateway.endpoint('box'), token).initialize()).listen()
    const lasting = await sign('a', 'carol', { groups: 'staff' })
    const url = `${gateway.url}/api/v1/events`
    const other = new Reply(url, { method: 'GET', headers: bearer(lasting) })
    await other.opened
    let isOver = false
    void other.closed.then(() => {
      isOver = true
    })
    expect([events.status, stream.status, other.status]).toEqual([200, 200, 200])
    await Promise.all([events.closed, stream.closed])
    const late = await send(gateway.endpoint('box'), { body: '{}', headers: bearer(token) })
    expect([late.status, isOver]).toEqual([401, false])
    other.close()
  })
})
