import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { OwnServer } from '../../packages/gateway/src/store/postgres/test-support/embedded-postgres.ts'
import { createDatabase } from '../../packages/gateway/src/store/postgres/test-support/postgres-places.ts'
import { cleanUp } from '../support/clean-up.ts'
import { type Gateway, readiness, Site, startGatewayAt } from '../support/gateway.ts'
import { hintgate } from '../support/hintgate.ts'
import { TEST_MS } from '../support/patience.ts'
import { hasOwnPostgres, hasPostgres, openOwnDatabase } from '../support/postgres.ts'
import { ModernClient, refusalOf, textOf } from '../support/raw-mcp.ts'
import { ScriptedServer, scripted, WRITES } from '../support/scripted-server.ts'
import { callsSeenBy, EVERYTHING } from '../support/search-client.ts'
import { startWatch } from '../support/stopwatch.ts'
import { openWitness, type Witness } from '../support/witness.ts'
import { reportFault } from './report-fault.ts'

/** `npm run test:faults` makes the outage longer. */
const OUTAGE_MS = Number(process.env.HINTGATE_OUTAGE_MS ?? 3000)
const PAUSE_MS = 500
const RECOVERED_MS = 10_000

const tools = [scripted('write', { annotations: WRITES }), scripted('read')]
const CONFIGURED = 'kX3fq1ZbW8sLr0PyTn5VuGh2JcEo7MaD9iQw4RtB'

/**
 * Callers that are known without the database get as far as the audit log, which decides; others get the store's
 * error.
 */
const WHILE_AWAY = [
  'read, reads fail open: answered',
  'read, token in the config: overloaded',
  'read, token in the database: 503 store_unreachable',
  'write, reads fail open: overloaded',
  'write, token in the config: overloaded',
  'write, token in the database: 503 store_unreachable',
]

/** Shortly after the start of the outage, cached tokens still work; calls with them are then refused too. */
const UNTIL_NOTICED: ReadonlySet<string> = new Set([
  'write, token in the database: overloaded',
  'read, token in the database: overloaded',
])

/**
 * The result of a call in one word: `answered`, the code of a refusal, or the HTTP status with the store's error code.
 */
async function attempt(client: ModernClient, tool: string, id: string): Promise<string> {
  const reply = client.openCall(tool, { id })
  await reply.closed
  const [message] = reply.messages.items
  if (message?.result === undefined)
    return `${reply.status} ${(message?.error?.data as { code?: string } | undefined)?.code ?? reply.text}`
  return refusalOf(message) ?? 'answered'
}

/** A gateway with one caller whose token is in the database and one whose token is in the config. */
interface Victim {
  readonly gateway: Gateway
  readonly stored: ModernClient
  readonly configured: ModernClient
}

async function startVictim(store: string, witness: Witness, failOpenReads: boolean): Promise<Victim> {
  const things = new ScriptedServer('things', witness, tools)
  // Valid without a database, so that refusals are not only caused by unknown tokens.
  const agent_tokens = { configured: { token: CONFIGURED, permissions: ['read', 'write'], servers: ['*'] } }
  const site = new Site({
    store,
    agent_tokens,
    audit: { failOpenReads },
    mcpServers: { things: things.config },
  })
  const token = await site.token({ permissions: EVERYTHING })
  const gateway = await startGatewayAt(site)
  await gateway.says(readiness('things'))
  const endpoint = gateway.endpoint('things')
  return {
    gateway,
    stored: new ModernClient(endpoint, token),
    configured: new ModernClient(endpoint, CONFIGURED),
  }
}

describe.skipIf(!hasPostgres() || !hasOwnPostgres())('gateways during an outage of PostgreSQL', () => {
  let witness: Witness
  let server: OwnServer
  let closed: Victim
  let open: Victim

  beforeAll(async () => {
    witness = await openWitness()
    const own = await openOwnDatabase()
    server = own.server
    closed = await startVictim(own.database.url, witness, false)
    open = await startVictim((await createDatabase(server)).url, witness, true)
  })
  afterAll(cleanUp)

  const clients = (): readonly ModernClient[] => [closed, open].flatMap(one => [one.stored, one.configured])

  const written = async (): Promise<ReadonlySet<string>> => {
    let seen: Awaited<ReturnType<typeof callsSeenBy>> = []
    for (const { stored } of [closed, open])
      seen = await callsSeenBy('things', witness, mark => stored.call('echo', mark))
    return new Set(seen.filter(({ name }) => name === 'write').map(({ arguments: args }) => String(args?.id)))
  }

  /** The result of each kind of call during the outage, each once. */
  async function tryEverything(round: number): Promise<Record<string, string>> {
    const id = `away ${round}`
    return {
      'write, token in the database': await attempt(closed.stored, 'write', id),
      'write, token in the config': await attempt(closed.configured, 'write', id),
      'write, reads fail open': await attempt(open.configured, 'write', id),
      'read, token in the database': await attempt(closed.stored, 'read', id),
      'read, token in the config': await attempt(closed.configured, 'read', id),
      'read, reads fail open': await attempt(open.configured, 'read', id),
    }
  }

  /** Milliseconds until all callers can write again. */
  async function untilRecovered(): Promise<number> {
    const passed = startWatch(closed.gateway.pid, open.gateway.pid)
    const left = new Set(clients())
    while (left.size > 0) {
      for (const client of left)
        if ((await attempt(client, 'write', 'after')) === 'answered') left.delete(client)
      if (passed() > RECOVERED_MS) throw new Error(`${left.size} callers still wait`)
      await sleep(50)
    }
    return passed()
  }

  it(
    `refuse writes during the outage (${OUTAGE_MS / 1000} s), allow reads if the config says so, and recover without a restart`,
    async () => {
      for (const one of clients())
        expect(textOf(await one.call('write', { id: 'before' }))).toContain('before')
      await server.kill()
      const [since, answers] = [performance.now(), new Map<string, number>()]
      let rounds = 0
      for (; performance.now() - since < OUTAGE_MS; rounds++) {
        for (const [who, answer] of Object.entries(await tryEverything(rounds)))
          answers.set(`${who}: ${answer}`, (answers.get(`${who}: ${answer}`) ?? 0) + 1)
        await sleep(PAUSE_MS)
      }
      await server.start()
      const recoveredMs = await untilRecovered()
      const heard = [...answers.keys()].filter(answer => !UNTIL_NOTICED.has(answer))
      expect(heard.toSorted()).toEqual(WHILE_AWAY)
      const done = await written()
      reportFault({
        fault: `PostgreSQL gone for ${OUTAGE_MS / 1000} s`,
        tried: `${rounds * 6} calls; all write again ${recoveredMs.toFixed(0)} ms after it is back`,
        lost: [...done].filter(id => id.startsWith('away')).map(id => `${id} was executed unrecorded`),
      })
      expect(done).toEqual(new Set(['before', 'after']))
    },
    OUTAGE_MS + TEST_MS,
  )

  it('receive change notifications again afterwards', async () => {
    const { name, token } = await closed.gateway.site.namedToken()
    const other = new ModernClient(closed.gateway.endpoint('things'), token)
    expect(await attempt(other, 'read', 'x')).toBe('answered')
    await closed.gateway.site.revoke(name)
    await expect.poll(() => attempt(other, 'read', 'x')).toMatch(/^401 /)
  })

  it('have a complete audit log afterwards, including the reads during the outage', async () => {
    for (const { gateway } of [closed, open]) {
      const { code, stdout } = await hintgate(['audit', 'verify', '--json', ...gateway.site.flags])
      expect([code, JSON.parse(stdout)]).toMatchObject([0, { problems: [] }])
    }
    const query = ['audit', 'query', '--json', '--limit', '1000', '--agent', 'configured']
    expect((await hintgate([...query, ...open.gateway.site.flags])).stdout).toContain('"away 0"')
  })
})
