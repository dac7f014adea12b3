import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AuditRow } from '../../packages/gateway/src/store/audit-store.ts'
import { openStore } from '../../packages/gateway/src/store/open/open-store.ts'
import type { Store } from '../../packages/gateway/src/store/store.ts'
import { cleanUp, later } from '../support/clean-up.ts'
import { type Gateway, readiness, Site, startGatewayAt } from '../support/gateway.ts'
import { hintgate } from '../support/hintgate.ts'
import { hasPostgres, openDatabase } from '../support/postgres.ts'
import { ModernClient } from '../support/raw-mcp.ts'
import { ScriptedServer, scripted, WRITES } from '../support/scripted-server.ts'
import { EVERYTHING } from '../support/search-client.ts'
import { openWitness, type Witness } from '../support/witness.ts'

// killed.test.ts checks everything else that a killed replica leaves behind.
describe.skipIf(!hasPostgres())('a replica that is killed', () => {
  let witness: Witness
  let site: Site
  let store: Store
  let token: string

  beforeAll(async () => {
    witness = await openWitness()
    const { url } = await openDatabase()
    const things = new ScriptedServer('things', witness, [
      scripted('hang', { annotations: WRITES }, { does: 'hold' }),
    ])
    site = new Site({ store: url, mcpServers: { things: things.config } })
    token = await site.token({ permissions: EVERYTHING })
    store = await openStore(url)
    later(() => store.close())
  })
  afterAll(cleanUp)

  async function start(): Promise<Gateway> {
    const gateway = await startGatewayAt(site)
    await gateway.says(readiness('things'))
    return gateway
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

  it('leaves a call open that the next start ends as unknown', async () => {
    const victim = await start()
    new ModernClient(victim.endpoint('things'), token).openCall('hang', { id: 'victim hangs' })
    await witness.saw('things', 'received', ({ raw }) => raw?.includes('victim hangs') ?? false)
    await victim.stop('SIGKILL')
    const request = (await readLog()).find(({ body }) => idIn(body) === 'victim hangs')?.request ?? ''
    await start()
    await expect
      .poll(async () => (await store.audit.find(request)).map(({ kind, outcome }) => `${kind} ${outcome}`))
      .toEqual(['intent ', 'outcome unknown'])
    expect(await hintgate(['audit', 'verify', ...site.flags])).toMatchObject({ code: 0 })
  })
})

function idIn(body: string): string {
  return /"id":"(victim [^"]+)"/.exec(body)?.[1] ?? ''
}
