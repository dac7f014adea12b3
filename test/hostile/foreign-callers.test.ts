import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cleanUp } from '../support/clean-up.ts'
import { type Gateway, startReadyGateway } from '../support/gateway.ts'
import { LegacyClient } from '../support/raw-mcp.ts'
import { ScriptedServer, scripted } from '../support/scripted-server.ts'
import { TokenIssuer } from '../support/token-issuer.ts'
import { openWitness, type Witness } from '../support/witness.ts'

// Who a caller is, an issuer says in a text of its own. Whatever stands in it, it is nobody else's name.

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
  // As realms and tenants of one provider are.
  const issuers = ['a', 'b'].map(tenant => ({
    issuer: `${issuer.url}/${tenant}`,
    jwks: `${issuer.url}/keys`,
    grants,
  }))
  gateway = await startReadyGateway({
    mcpServers: { box: box.config },
    oauth: { resource: RESOURCE, issuers },
  })
}, 60_000)
afterAll(cleanUp, 60_000)

const sign = (tenant: 'a' | 'b', sub: string): Promise<string> =>
  issuer.sign({ audience: RESOURCE, claims: { iss: `${issuer.url}/${tenant}`, sub } })

describe('somebody of the same name at another issuer of the same host', () => {
  it('has none of the sessions of the first', async () => {
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
