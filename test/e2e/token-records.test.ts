import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { adminOf, personToken } from '../support/admin.ts'
import { cleanUp, later } from '../support/clean-up.ts'
import { type GatewayConfig, Site, startGateway, startGatewayAt } from '../support/gateway.ts'
import { hintgate } from '../support/hintgate.ts'
import { bearer, ModernClient, send } from '../support/raw-mcp.ts'

afterAll(cleanUp)

const SECRET = 'a-secret-of-the-operator-with-enough-characters'
const BOT = { token: `\${env:BOT_TOKEN}`, permissions: ['retrieve_tools', 'call_tool_read'], servers: ['*'] }
const CONFIG: GatewayConfig = {
  agent_tokens: {
    bot: BOT,
    idle: { ...BOT, token: `\${env:IDLE_TOKEN}` },
    bare: { ...BOT, token: undefined },
  },
}
const env = { BOT_TOKEN: SECRET, IDLE_TOKEN: `${SECRET}-too` }

interface Listed {
  readonly name: string
  readonly status: string
  readonly role?: string
  readonly lastUsed?: string
}

async function list(site: Site): Promise<readonly Listed[]> {
  return JSON.parse((await hintgate(['tokens', 'list', '--json', ...site.flags])).stdout) as Listed[]
}

describe('hintgate tokens list', () => {
  it('shows that a token of the config was used, also after a restart', async () => {
    const site = new Site(CONFIG)
    const before = Date.now()
    const gateway = await startGatewayAt(site, { env })
    await new ModernClient(`${gateway.url}/mcp`, SECRET).call('retrieve_tools', { query: 'x' })
    await gateway.stop()
    const again = await startGatewayAt(site, { env })
    // The command runs without the secrets.
    const tokens = new Map((await list(site)).map(token => [token.name, token]))
    expect(tokens.get('bot')?.status).toBe('configured')
    expect(Date.parse(tokens.get('bot')?.lastUsed ?? '')).toBeGreaterThanOrEqual(before)
    expect(tokens.get('idle')).toMatchObject({ status: 'configured' })
    expect(tokens.get('idle')?.lastUsed).toBeUndefined()
    expect(tokens.get('bare')?.status).toBe('without token')
    const { stdout } = await hintgate(['tokens', 'list', ...site.flags])
    expect(stdout).toMatch(/^bot +agent +configured .*\d{4}-\d\d-\d\dT\S+$/m)
    const admin = adminOf(again, await personToken(site, 'admin', 'ann'))
    const { items } = await admin.listAgents()
    expect(items.find(({ name }) => name === 'bot')).toMatchObject({
      status: 'configured',
      lastUsedAt: Date.parse(tokens.get('bot')?.lastUsed ?? ''),
    })
  })

  it('shows the roles of people', async () => {
    const site = new Site({})
    await personToken(site, 'viewer', 'vera')
    expect((await hintgate(['tokens', 'create', 'ann', '--admin', ...site.flags])).code).toBe(0)
    await site.token()
    const { stdout } = await hintgate(['tokens', 'list', ...site.flags])
    expect(stdout).toMatch(/^NAME +ROLE +STATUS/)
    expect(stdout).toMatch(/^ann +admin +active/m)
    expect(stdout).toMatch(/^vera +viewer +active/m)
    expect(stdout).toMatch(/^agent-1 +agent +active/m)
  })
})

describe('hintgate tokens create', () => {
  it('warns of servers that do not exist', async () => {
    const site = new Site({
      mcpServers: { files: { url: 'http://127.0.0.1:9/mcp', headers: { a: `\${env:NOT_SET}` } } },
    })
    const create = (name: string, servers: string) =>
      hintgate(['tokens', 'create', name, '--servers', servers, '--json', ...site.flags])
    const wrong = await create('a', 'nosuch,files')
    expect(wrong.code).toBe(0)
    expect(JSON.parse(wrong.stdout)).toMatchObject({ servers: ['nosuch', 'files'] })
    expect(wrong.stderr).toMatch(/no server is named "nosuch" \(\S+hintgate\.json has files\)/)
    expect((await create('b', 'fils')).stderr).toContain('did you mean files?')
    for (const [name, servers] of [
      ['c', 'files'],
      ['d', 'fi*'],
      ['e', '*'],
    ] as const)
      expect((await create(name, servers)).stderr).toBe('')
  })

  it('says where it looked if there is no config', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'hintgate-e2e-'))
    later(() => rmSync(folder, { recursive: true, force: true }))
    const flags = ['--servers', 'nosuch', '--home', join(folder, 'home')]
    const options = { cwd: folder, env: { HOME: folder, HINTGATE_CONFIG: '' } }
    const made = await hintgate(['tokens', 'create', 'a', ...flags], options)
    expect([made.code, made.stderr]).toEqual([0, expect.stringContaining('there is no config')])
  })
})

describe('an expired token', () => {
  it('is reported as expired to its holder only', async () => {
    const gateway = await startGateway({})
    const token = await gateway.site.token({ expires: '1s' })
    const { name, token: revoked } = await gateway.site.namedToken({ expires: '1s' })
    await gateway.site.revoke(name)
    const get = (credential: string) =>
      send(`${gateway.url}/mcp`, { method: 'DELETE', headers: bearer(credential) })
    await expect.poll(async () => (await get(token)).text).toContain('this token has expired')
    expect((await get(token)).headers['www-authenticate']).toContain(
      'error="invalid_token", error_description="the token has expired"',
    )
    const changed = `${token.slice(0, -1)}${token.endsWith('A') ? 'E' : 'A'}`
    for (const other of [changed, revoked, token.slice(0, 30)]) {
      const reply = await get(other)
      expect([reply.status, reply.text, reply.headers['www-authenticate']]).toEqual([
        401,
        expect.not.stringContaining('expired'),
        expect.not.stringContaining('expired'),
      ])
    }
  })
})
