import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { OwnServer } from '../../packages/gateway/src/store/postgres/test-support/embedded-postgres.ts'
import { cleanUp } from '../support/clean-up.ts'
import { type Gateway, readiness, Site, startGatewayAt } from '../support/gateway.ts'
import { hintgate } from '../support/hintgate.ts'
import { hasOwnPostgres, hasPostgres, openOwnDatabase } from '../support/postgres.ts'
import { ModernClient, textOf } from '../support/raw-mcp.ts'
import { ScriptedServer, scripted, WRITES } from '../support/scripted-server.ts'
import { callsSeenBy, EVERYTHING } from '../support/search-client.ts'
import { openWitness, type Witness } from '../support/witness.ts'

const tools = [scripted('write', { annotations: WRITES }), scripted('read')]
const CONFIGURED = 'kX3fq1ZbW8sLr0PyTn5VuGh2JcEo7MaD9iQw4RtB'
const AGAIN = { timeout: 10_000, interval: 100 }

describe.skipIf(!hasPostgres() || !hasOwnPostgres())('a gateway whose PostgreSQL goes away', () => {
  let witness: Witness
  let server: OwnServer
  let gateway: Gateway
  let client: ModernClient
  let configured: ModernClient

  beforeAll(async () => {
    witness = await openWitness()
    const own = await openOwnDatabase()
    server = own.server
    const things = new ScriptedServer('things', witness, tools)
    // Known without a database, so that it is not only for want of tokens that nobody gets through.
    const agent_tokens = { configured: { token: CONFIGURED, permissions: ['read', 'write'], servers: ['*'] } }
    const site = new Site({ store: own.database.url, agent_tokens, mcpServers: { things: things.config } })
    gateway = await startGatewayAt(site)
    await gateway.says(readiness('things'))
    client = new ModernClient(gateway.endpoint('things'), await site.token({ permissions: EVERYTHING }))
    configured = new ModernClient(gateway.endpoint('things'), CONFIGURED)
  }, 60_000)
  afterAll(cleanUp, 60_000)

  async function isAnswered(name: string, id: string, by = client): Promise<boolean> {
    const reply = by.openCall(name, { id })
    await reply.closed
    const [message] = reply.messages.items
    return message?.result !== undefined && message.result.isError !== true
  }

  const written = async (): Promise<readonly string[]> => {
    const seen = await callsSeenBy('things', witness, mark => client.call('echo', mark))
    return seen.filter(({ name }) => name === 'write').map(({ arguments: args }) => String(args?.id))
  }

  it('refuses to write as long as it is away, and goes on by itself when it is back', async () => {
    for (const one of [client, configured])
      expect(textOf(await one.call('write', { id: 'before' }))).toContain('before')
    await server.kill()
    for (const id of ['at once', 'a little later', 'later']) {
      expect(await isAnswered('write', id)).toBe(false)
      expect(await isAnswered('write', id, configured)).toBe(false)
      await sleep(1000)
    }
    await server.start()
    await vi.waitFor(async () => expect(await isAnswered('write', 'after')).toBe(true), AGAIN)
    await vi.waitFor(async () => expect(await isAnswered('write', 'after', configured)).toBe(true), AGAIN)
    expect(new Set(await written())).toEqual(new Set(['before', 'after']))
  })

  it('hears of changes again afterwards', async () => {
    const { name, token } = await gateway.site.namedToken()
    const other = new ModernClient(gateway.endpoint('things'), token)
    expect(textOf(await other.call('read', { id: 'x' }))).toContain('read')
    await gateway.site.revoke(name)
    await sleep(1000)
    const reply = other.openCall('read')
    await reply.closed
    expect(reply.status).toBe(401)
  })

  it('lost nothing of its audit log', async () => {
    const { code, stdout } = await hintgate(['audit', 'verify', '--json', ...gateway.site.flags])
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { problems: [] }])
  })
})
