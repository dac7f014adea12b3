import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AdminClient } from '../../packages/gateway/src/admin/client.ts'
import { adminOf, adminWith, codeOf, personToken } from '../support/admin.ts'
import { cleanUp } from '../support/clean-up.ts'
import { type Gateway, Site, startGatewayAt, stdioServer } from '../support/gateway.ts'
import { hintgate } from '../support/hintgate.ts'
import { ModernClient, textOf } from '../support/raw-mcp.ts'
import { openWitness, type Witness } from '../support/witness.ts'

afterAll(cleanUp)

const SECRET = 'hunter2-and-nobody-else'

let witness: Witness
let site: Site
let gateway: Gateway
let admin: AdminClient
let viewer: AdminClient

const file = (): string => readFileSync(site.configFile, 'utf8')
const started = (server: string): number => witness.of(server, 'started').length

beforeAll(async () => {
  witness = await openWitness()
  site = new Site({})
  const s = stdioServer('s', witness, [], { env: { TOKEN: SECRET } })
  const json = JSON.stringify(s).replace('{', `{ // the first one\n      `)
  site.configure(`{
  // who may write here
  "quarantine": false,
  "mcpServers": {
    "s": ${json}
  }
}
`)
  const cursor = join(site.folder, 'user/.cursor')
  mkdirSync(cursor, { recursive: true })
  const headers = { Authorization: `Bearer ${SECRET}` }
  const servers = { crm: { url: 'http://127.0.0.1:9/mcp', headers } }
  writeFileSync(join(cursor, 'mcp.json'), JSON.stringify({ mcpServers: servers }))
  gateway = await startGatewayAt(site, { env: { ...process.env, HOME: join(site.folder, 'user') } })
  await gateway.says(/s is ready/)
  admin = await adminWith(gateway, 'admin')
  viewer = await adminWith(gateway, 'viewer')
})

describe('servers over the admin API', () => {
  it('are shown with their state and without secrets', async () => {
    const { items } = await viewer.listServers()
    expect(items).toMatchObject([
      { name: 's', state: 'ready', transport: 'stdio', trust: 'trusted', enabled: true },
    ])
    expect(items[0]?.tools).toBeGreaterThan(0)
    const page = await viewer.getServer({ params: { name: 's' } })
    expect(page.config).toMatchObject({ env: { TOKEN: '••••••' } })
    expect(JSON.stringify([items, page])).not.toContain(SECRET)
    expect(await codeOf(viewer.getServer({ params: { name: 'nope' } }))).toBe('not_found')
  })

  it('are shown as in the config, with references not filled in', async () => {
    writeFileSync(join(site.folder, 'pw'), SECRET)
    const entry = {
      command: '/bin/true',
      args: ['--api-key', SECRET, '-p', SECRET, `TOKEN=${SECRET}`, '\u0024{file:pw}'],
      disabled: true,
    }
    const web = { url: `https://x.example/mcp/${SECRET}-a8f7?key=\u0024{file:pw}`, disabled: true }
    await admin.addServer({ body: { name: 'leaky', config: entry } })
    await admin.addServer({ body: { name: 'web', config: web } })
    const pages = await Promise.all(['leaky', 'web'].map(name => viewer.getServer({ params: { name } })))
    expect(pages).toMatchObject([
      { command: '/bin/true --api-key •••••• -p •••••• TOKEN=•••••• \u0024{file:pw}' },
      { url: 'https://x.example/mcp/••••••?key=\u0024{file:pw}' },
    ])
    const told = await hintgate(['servers', 'list', '--json', ...site.flags])
    const shown = await hintgate(['servers', 'show', 'leaky', ...site.flags])
    const all = JSON.stringify([pages, await viewer.listServers(), told.stdout, shown.stdout])
    expect(all).toContain('\u0024{file:pw}')
    expect(all).not.toContain(SECRET)
    for (const { name, etag } of pages) await admin.removeServer({ params: { name }, ifMatch: etag })
  })

  it('never show referenced secrets to viewers', async () => {
    const told = new Site({
      mcpServers: {
        says: {
          command: process.execPath,
          args: [
            '-e',
            'console.error(process.argv.slice(1).join(" "));process.exit(1)',
            '--',
            '\u0024{env:PW}',
          ],
        },
        gone: { command: '/nowhere/\u0024{env:PW}/x' },
      },
      guardrails: [{ rule: 'keyword_block', keywords: ['\u0024{env:PW}'] }],
    })
    const other = await startGatewayAt(told, { env: { PW: SECRET } })
    await other.says(/its last line on standard error/)
    const reader = await adminWith(other, 'viewer')
    const { lastError } = await reader.getServer({ params: { name: 'says' } })
    expect(lastError).toContain('its last line on standard error: [masked]')
    const { guardrails } = await reader.getPolicies()
    expect(guardrails).toMatchObject([{ settings: { keywords: ['\u0024{env:PW}'] } }])
    const { findings } = await reader.doctor()
    expect(findings.map(({ text }) => text).join()).toContain('"/nowhere/[masked]/x"')
    expect(JSON.stringify([findings, await reader.listServers(), await reader.overview()])).not.toContain(
      SECRET,
    )
  })

  it('show nothing of an entry that the config refuses', async () => {
    const wrong = new Site({ mcpServers: { a: { command: 'a', disabled: true } } })
    const other = await startGatewayAt(wrong)
    const reader = await adminWith(other, 'viewer')
    for (const entry of [
      { command: 'a', args: ['--token', SECRET, '--port', 4711] },
      { command: 'a', env: `TOKEN=${SECRET}` },
      { command: ['a', SECRET] },
      { command: 'a', apiKey: SECRET },
    ]) {
      wrong.configure({ mcpServers: { a: entry } } as never)
      const page = await reader.getServer({ params: { name: 'a' } })
      expect(JSON.stringify(page)).toContain('••••••')
      expect(JSON.stringify([page, await reader.listServers()])).not.toContain(SECRET)
    }
  })

  it('are tested before use, by admins only', async () => {
    const config = stdioServer('tried', witness)
    for (const client of [viewer, adminOf(gateway, await site.token()), adminOf(gateway, 'nobody')])
      expect(await codeOf(client.testServer({ body: { config } }))).toMatch(
        /role_needed|not_for_agents|not_signed_in/,
      )
    expect(started('tried')).toBe(0)
    const found = await admin.testServer({ body: { name: 'tried', config } })
    expect(found).toMatchObject({ ok: true, era: 'legacy', problems: [] })
    expect(found.tools.map(({ name }) => name)).toContain('echo')
    expect(started('tried')).toBeGreaterThan(0)
    expect((await viewer.listServers()).items.length).toBe(1)
    const broken = await admin.testServer({
      body: { config: stdioServer('tried', witness, ['--start', 'exit']) },
    })
    expect(broken).toMatchObject({ ok: false, stderr: expect.arrayContaining(['there is no licence key']) })
    const wrong = await admin.testServer({ body: { config: { comand: 'node' } } })
    expect(wrong).toMatchObject({ ok: false })
    expect(wrong.problems.map(({ path }) => path)).toContain('mcpServers.test.comand')
  })

  it.each(['NODE_OPTIONS', 'LD_PRELOAD', 'LD_LIBRARY_PATH', 'DYLD_INSERT_LIBRARIES', 'ld_preload'])(
    'cannot be made to load other code with %s',
    async name => {
      const before = started('evil')
      const config = { ...stdioServer('evil', witness), env: { [name]: '/tmp/evil.so' } }
      expect(await codeOf(admin.testServer({ body: { config } }))).toBe('refused')
      expect(await codeOf(admin.addServer({ body: { name: 'evil', config } }))).toBe('refused')
      expect(started('evil')).toBe(before)
      expect(file()).not.toContain('evil')
    },
  )

  it('are added to the config file, whose comments are kept', async () => {
    const config = stdioServer('added', witness)
    expect(await admin.addServer({ body: { name: 'added', config } })).toMatchObject({
      name: 'added',
      trust: 'trusted',
    })
    expect(file()).toContain('// who may write here')
    expect(file()).toContain('// the first one')
    await expect.poll(async () => (await viewer.getServer({ params: { name: 'added' } })).state).toBe('ready')
    const agent = new ModernClient(gateway.endpoint(), await site.token())
    expect(textOf(await agent.call('added__echo', { text: 'hello' }))).toContain('hello')
    expect(await codeOf(admin.addServer({ body: { name: 'added', config } }))).toBe('name_taken')
    expect(
      await codeOf(admin.addServer({ body: { name: 'bad', config: { command: 'node', trsut: 1 } } })),
    ).toBe('refused')
    expect(await codeOf(admin.addServer({ body: { name: 'a b', config } }))).toBe('refused')
    expect(file()).not.toContain('trsut')
  })

  it('are changed only with the current version, and masks keep their values', async () => {
    const { etag, config } = await admin.getServer({ params: { name: 's' } })
    const update = (ifMatch: string, changed: object) =>
      admin.updateServer({ params: { name: 's' }, body: { config: { ...config, ...changed } }, ifMatch })
    const changed = await update(etag, { timeout: '30s' })
    expect(file()).toContain(SECRET)
    expect(file()).toContain('// the first one')
    expect(file()).toContain('"timeout": "30s"')
    expect(await codeOf(update(etag, { timeout: '10s' }))).toBe('stale_edit')
    expect(await codeOf(update(changed.etag, { env: { OTHER: '••••••' } }))).toBe('invalid_request')
    const another = { ...config, args: ['another.mjs'] }
    expect(await codeOf(update(changed.etag, another))).toBe('invalid_request')
    expect(await codeOf(admin.testServer({ body: { name: 's', config: another } }))).toBe('invalid_request')
    // The file is edited by hand.
    writeFileSync(site.configFile, file().replace('"30s"', '"20s"'))
    expect(await codeOf(update(changed.etag, { timeout: '10s' }))).toBe('stale_edit')
  })

  it('are trusted, restarted and removed', async () => {
    const { etag } = await admin.getServer({ params: { name: 'added' } })
    const params = { name: 'added' }
    const reviewed = await admin.trustServer({ params, body: { trust: 'reviewed' }, ifMatch: etag })
    expect(reviewed.trust).toBe('reviewed')
    const before = started('added')
    expect(await admin.restartServer({ params })).toMatchObject({ name: 'added' })
    await expect.poll(() => started('added')).toBeGreaterThan(before)
    expect(await codeOf(admin.removeServer({ params, ifMatch: etag }))).toBe('stale_edit')
    expect(await admin.removeServer({ params, ifMatch: reviewed.etag })).toEqual({ name: 'added' })
    expect((await viewer.listServers()).items.map(({ name }) => name)).toEqual(['s'])
    expect(file()).not.toContain('"added"')
  })

  it('are added once for one idempotency key, and another request with that key is refused', async () => {
    const add = (name: string) =>
      admin.addServer({
        body: { name, config: { ...stdioServer(name, witness), disabled: true } },
        idempotencyKey: 'one',
      })
    const first = await add('once')
    expect(await add('once')).toEqual(first)
    expect(await codeOf(add('twice'))).toBe('idempotency_mismatch')
    expect(first.state).toBe('disabled')
  })

  it('report problems in the config file and elsewhere', async () => {
    expect(await viewer.configProblems()).toMatchObject({ problems: [] })
    const good = file()
    writeFileSync(site.configFile, good.replace('"quarantine"', '"quarantne"'))
    expect((await viewer.configProblems()).problems).toMatchObject([{ path: 'quarantne' }])
    const { findings } = await viewer.doctor()
    expect(findings.map(({ code }) => code)).toEqual(
      expect.arrayContaining(['config_invalid', 'quarantine_off']),
    )
    const { etag } = await admin.getServer({ params: { name: 's' } })
    expect(
      await codeOf(admin.trustServer({ params: { name: 's' }, body: { trust: 'reviewed' }, ifMatch: etag })),
    ).toBe('config_invalid')
    expect(file()).toContain('quarantne')
    writeFileSync(site.configFile, good)
  })
})

describe('servers of clients on this machine', () => {
  it('are found and imported with secrets that are never shown', async () => {
    expect(await codeOf(viewer.listImportable())).toBe('role_needed')
    const { items } = await admin.listImportable()
    expect(items).toMatchObject([{ client: 'cursor', name: 'crm', isKnown: false }])
    expect(JSON.stringify(items)).not.toContain(SECRET)
    const { name = '', config = {} } = items[0] ?? {}
    const added = await admin.addServer({ body: { name, config } })
    expect(added).toMatchObject({ name: 'crm', transport: 'http', trust: 'reviewed' })
    const entry = file().slice(file().indexOf('"crm"'))
    expect(entry).not.toContain(SECRET)
    const [, secret = ''] = /\$\{file:([^}]+)\}/.exec(entry) ?? []
    expect(readFileSync(secret.replace('~', join(site.folder, 'user')), 'utf8')).toContain(SECRET)
    expect((await admin.listImportable()).items).toMatchObject([{ name: 'crm', isKnown: true }])
  })
})

describe('tokens over the admin API', () => {
  it('are created, used, rotated and revoked; the secret is shown only once', async () => {
    const body = {
      name: 'bot',
      permissions: ['call_tool_read', 'call_tool_write', 'call_tool_destructive'],
      servers: ['s'],
      expiresIn: '1d',
      rate: '600/m',
    } as const
    const made = await admin.createAgent({
      body: { ...body, permissions: [...body.permissions], servers: [...body.servers] },
      idempotencyKey: 'bot',
    })
    expect(made).toMatchObject({
      name: 'bot',
      kind: 'agent',
      status: 'active',
      source: 'store',
      rate: { limit: 600 },
    })
    const call = async (token: string) => {
      const response = await fetch(gateway.endpoint(), { headers: { authorization: `Bearer ${token}` } })
      await response.body?.cancel()
      return response.status
    }
    expect(
      textOf(await new ModernClient(gateway.endpoint(), made.token).call('s__echo', { text: 'hi' })),
    ).toContain('hi')
    const again = await admin.createAgent({
      body: { ...body, permissions: [...body.permissions], servers: [...body.servers] },
      idempotencyKey: 'bot',
    })
    expect(again.token).toBe(made.token)
    expect(await codeOf(admin.createAgent({ body: { name: 'bot' } }))).toBe('name_taken')
    const { items } = await viewer.listAgents()
    expect(JSON.stringify(items)).not.toContain(made.token)
    const lastUse = async () => {
      const { items: now } = await viewer.listAgents()
      return now.find(({ name }) => name === 'bot')?.lastUsedAt
    }
    await expect.poll(lastUse).toBeGreaterThan(0)
    const reach = await viewer.getReach({ params: { name: 'bot' } })
    expect(reach.read.length + reach.write.length + reach.destructive.length).toBeGreaterThan(0)
    expect(reach.destructive.every(({ asks }) => asks)).toBe(true)
    const rotated = await admin.rotateAgent({ params: { name: 'bot' } })
    expect(await call(made.token)).toBe(401)
    expect(await admin.revokeAgent({ params: { name: 'bot' } })).toMatchObject({ status: 'revoked' })
    expect(await call(rotated.token)).toBe(401)
    expect(await codeOf(viewer.getReach({ params: { name: 'nobody' } }))).toBe('not_found')
  })

  it('carry the role of a person, with no more rights than requested', async () => {
    const made = await admin.createAgent({ body: { name: 'ada', role: 'approver' } })
    expect(made).toMatchObject({ kind: 'person', role: 'approver', permissions: [], servers: [] })
    expect(await adminOf(gateway, made.token).me()).toMatchObject({ name: 'ada', role: 'approver' })
    const plain = await admin.createAgent({ body: { name: 'bob', kind: 'person' } })
    expect(plain.role).toBe('viewer')
    expect(await codeOf(admin.createAgent({ body: { name: 'x', expiresIn: 'soon' } }))).toBe(
      'invalid_request',
    )
    expect(await codeOf(admin.createAgent({ body: { name: 'x y' } }))).toBe('token_name_invalid')
    // Tokens created before roles existed.
    expect(await adminOf(gateway, await personToken(site, 'admin', 'old')).me()).toMatchObject({
      role: 'admin',
    })
  })
})
