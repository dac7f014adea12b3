import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AuditRow } from '../../packages/gateway/src/store/audit-store.ts'
import { openStore } from '../../packages/gateway/src/store/open-store.ts'
import type { Store } from '../../packages/gateway/src/store/store.ts'
import { cleanUp, later } from '../support/clean-up.ts'
import { type Gateway, readiness, Site, startGatewayAt } from '../support/gateway.ts'
import { hintgate } from '../support/hintgate.ts'
import { hasPostgres, openDatabase } from '../support/postgres.ts'
import { ModernClient } from '../support/raw-mcp.ts'
import { ScriptedServer, scripted, WRITES } from '../support/scripted-server.ts'
import { callsSeenBy, EVERYTHING } from '../support/search-client.ts'
import { openWitness, type Witness } from '../support/witness.ts'

const ROUNDS = Number(process.env.HINTGATE_CRASH_ROUNDS ?? 2)
const CALLS = 40
const LONG = { timeout: 10_000 }

describe.skipIf(!hasPostgres())('one of two replicas that is killed', () => {
  let witness: Witness
  let site: Site
  let store: Store
  let token: string
  let survivor: Gateway

  beforeAll(async () => {
    witness = await openWitness()
    const { url } = await openDatabase()
    const things = new ScriptedServer('things', witness, [
      scripted('write', { annotations: WRITES }),
      scripted('hang', { annotations: WRITES }, { does: 'hold' }),
    ])
    site = new Site({ store: url, mcpServers: { things: things.config } })
    token = await site.token({ permissions: EVERYTHING })
    survivor = await start()
    store = await openStore(url)
    later(() => store.close())
  }, 60_000)
  afterAll(cleanUp, 60_000)

  async function start(): Promise<Gateway> {
    const gateway = await startGatewayAt(site)
    await gateway.says(readiness('things'))
    return gateway
  }

  /** Writes without waiting for each other; gives the ids of those that were answered. */
  function write(gateway: Gateway, prefix: string): Promise<readonly string[]> {
    const client = new ModernClient(gateway.endpoint('things'), token)
    const calls = Array.from({ length: CALLS }, async (_, index) => {
      await sleep(index * 5)
      const id = `${prefix}-${index}`
      const reply = client.openCall('write', { id })
      await reply.closed
      const [message] = reply.messages.items
      return message?.result === undefined || message.result.isError === true ? [] : [id]
    })
    return Promise.all(calls).then(ids => ids.flat())
  }

  async function readLog(): Promise<readonly AuditRow[]> {
    const rows: AuditRow[] = []
    for (let cursor: string | undefined; ; ) {
      const slice = await store.audit.read(cursor, 1000)
      if (slice.rows.length === 0) return rows
      rows.push(...slice.rows)
      cursor = slice.cursor
    }
  }

  it(`loses nothing that was done or acknowledged, ${ROUNDS} times, and disturbs nobody`, async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const victim = await start()
      const mine = write(survivor, `survivor ${round}`)
      const theirs = write(victim, `victim ${round}`)
      await sleep(60 + Math.random() * 100)
      await victim.stop('SIGKILL')
      const [answered, others] = [await theirs, await mine]
      expect(answered.length).toBeLessThan(CALLS)
      expect(others).toHaveLength(CALLS)

      const client = new ModernClient(survivor.endpoint('things'), token)
      const seen = await callsSeenBy('things', witness, mark => client.call('echo', mark))
      const done = seen.filter(({ name }) => name === 'write').map(({ arguments: args }) => String(args?.id))
      const log = await readLog()
      const requests = new Map(
        log.filter(({ kind }) => kind === 'intent').map(({ request, body }) => [idIn(body), request]),
      )
      expect(done.filter(id => !requests.has(id))).toEqual([])
      const ended = new Set(log.filter(({ kind }) => kind === 'outcome').map(({ request }) => request))
      expect([...answered, ...others].filter(id => !ended.has(requests.get(id) ?? ''))).toEqual([])
      expect(await hintgate(['audit', 'verify', ...site.flags])).toMatchObject({ code: 0 })
    }
  })

  it('leaves a call open that the next start ends as unknown', async () => {
    const victim = await start()
    new ModernClient(victim.endpoint('things'), token).openCall('hang', { id: 'victim hangs' })
    await witness.saw('things', 'received', ({ raw }) => raw?.includes('victim hangs') ?? false)
    await victim.stop('SIGKILL')
    const request = (await readLog()).find(({ body }) => idIn(body) === 'victim hangs')?.request ?? ''
    await start()
    await expect
      .poll(
        async () => (await store.audit.find(request)).map(({ kind, outcome }) => `${kind} ${outcome}`),
        LONG,
      )
      .toEqual(['intent ', 'outcome unknown'])
    expect(await hintgate(['audit', 'verify', ...site.flags])).toMatchObject({ code: 0 })
  })
})

function idIn(body: string): string {
  return /"id":"((?:survivor|victim) [^"]+)"/.exec(body)?.[1] ?? ''
}
