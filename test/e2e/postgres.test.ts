import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cleanUp } from '../support/clean-up.ts'
import { approve, waitingFor } from '../support/confirming.ts'
import { type Gateway, readiness, Site, startGatewayAt } from '../support/gateway.ts'
import { hintgate } from '../support/hintgate.ts'
import { hasPostgres, openDatabase } from '../support/postgres.ts'
import { type Json, ModernClient, refusalOf, textOf } from '../support/raw-mcp.ts'
import { DESTROYS, ScriptedServer, scripted } from '../support/scripted-server.ts'
import { callsSeenBy, EVERYTHING } from '../support/search-client.ts'
import { startWatch } from '../support/stopwatch.ts'
import { openWitness, type Witness } from '../support/witness.ts'

/** One second is promised; the test machine may be busy. */
const PATIENCE_MS = 3000
const tools = [scripted('destroy', { annotations: DESTROYS }), scripted('read')]

describe.skipIf(!hasPostgres())('two replicas on one PostgreSQL', () => {
  let witness: Witness
  let site: Site
  let replicas: [Gateway, Gateway]
  let token: string

  beforeAll(async () => {
    witness = await openWitness()
    const { url } = await openDatabase()
    const things = new ScriptedServer('things', witness, tools)
    const fresh = new ScriptedServer('fresh', witness, tools, { more: { trust: 'reviewed' } })
    site = new Site({
      store: url,
      quarantine: true,
      confirm: {},
      mcpServers: { things: things.config, fresh: fresh.config },
    })
    token = await site.token({ permissions: EVERYTHING })
    replicas = [await startGatewayAt(site), await startGatewayAt(site)]
    for (const replica of replicas) await replica.says(readiness('things'))
  })
  afterAll(cleanUp)

  const clientOf = (replica: Gateway, secret = token): ModernClient =>
    new ModernClient(replica.endpoint('things'), secret)
  const clients = (secret = token): ModernClient[] => replicas.map(replica => clientOf(replica, secret))

  /** How many of these calls reached the servers behind both. */
  async function countOf(args: Json): Promise<number> {
    let seen: Awaited<ReturnType<typeof callsSeenBy>> = []
    for (const client of clients())
      seen = await callsSeenBy('things', witness, mark => client.call('echo', mark))
    return seen.filter(call => JSON.stringify(call.arguments) === JSON.stringify(args)).length
  }

  /** How long it takes until the check passes. */
  async function msUntil(check: () => Promise<boolean>): Promise<number> {
    const passed = startWatch(...replicas.map(({ pid }) => pid))
    while (!(await check())) {
      if (passed() > 10_000) throw new Error('it never does')
      await new Promise(resolve => setTimeout(resolve, 20))
    }
    return passed()
  }

  it('accept a token at once, and reject it within a second after it is revoked', async () => {
    const { name, token: secret } = await site.namedToken()
    for (const client of clients(secret)) expect(textOf(await client.call('read', {}))).toContain('read')
    await site.revoke(name)
    const isRefused = async (client: ModernClient): Promise<boolean> => {
      const reply = client.openCall('read')
      await reply.closed
      return reply.status === 401
    }
    const waits = await Promise.all(clients(secret).map(client => msUntil(() => isRefused(client))))
    expect(Math.max(...waits)).toBeLessThan(PATIENCE_MS)
  })

  it('send a call on either replica once it is approved', async () => {
    const [first, second] = clients() as [ModernClient, ModernClient]
    const { id } = waitingFor(await first.call('destroy', { id: 'either' }))
    expect(waitingFor(await second.call('destroy', { id: 'either' })).id).toBe(id)
    await approve(site, id)
    expect(textOf(await second.call('destroy', { id: 'either' }))).toContain('either')
    expect(waitingFor(await first.call('destroy', { id: 'either' })).id).not.toBe(id)
    expect(await countOf({ id: 'either' })).toBe(1)
  })

  it('send an approved call once, however many retries arrive at both', async () => {
    const [first] = clients() as [ModernClient]
    const { id } = waitingFor(await first.call('destroy', { id: 'raced' }))
    await approve(site, id)
    const answers = await Promise.all(
      Array.from({ length: 25 }, () =>
        clients().map(client => client.call('destroy', { id: 'raced' })),
      ).flat(),
    )
    expect(answers.filter(answer => refusalOf(answer) === undefined)).toHaveLength(1)
    expect(await countOf({ id: 'raced' })).toBe(1)
  })

  it('both apply approvals and disabled tools', async () => {
    const fresh = replicas.map(replica => new ModernClient(replica.endpoint('fresh'), token))
    const isAllowed = async (client: ModernClient): Promise<boolean> => {
      const { result } = await client.call('read', {})
      return result !== undefined && result.isError !== true
    }
    for (const client of fresh) expect(await isAllowed(client)).toBe(false)
    const run = (...args: string[]) => hintgate(['tools', ...args, ...site.flags])
    expect(await run('approve', 'fresh:read', '--yes')).toMatchObject({ code: 0 })
    const waits = await Promise.all(fresh.map(client => msUntil(() => isAllowed(client))))
    expect(Math.max(...waits)).toBeLessThan(PATIENCE_MS)
    expect(await run('disable', 'fresh:read')).toMatchObject({ code: 0 })
    await Promise.all(fresh.map(client => msUntil(async () => !(await isAllowed(client)))))
  })

  it('write one audit log that can be verified, with a chain for each', async () => {
    const { code, stdout } = await hintgate(['audit', 'verify', '--json', ...site.flags])
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ problems: [] })
    const { stdout: calls } = await hintgate(['audit', 'export', ...site.flags])
    const spent = calls.split('\n').filter(line => line.includes('raced') && line.includes('"answered"'))
    expect(spent).toHaveLength(1)
  })
})
