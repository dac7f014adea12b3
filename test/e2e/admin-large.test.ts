import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { AdminClient } from '../../packages/gateway/src/admin/client.ts'
import { toChunks } from '../../packages/gateway/src/store/audit-log/chunk.ts'
import type { AuditRow } from '../../packages/gateway/src/store/audit-store.ts'
import { prepareChunks } from '../../packages/gateway/src/store/sqlite/audit-store.ts'
import { openDatabase } from '../../packages/gateway/src/store/sqlite/open-database.ts'
import { adminWith } from '../support/admin.ts'
import { cleanUp } from '../support/clean-up.ts'
import { type Gateway, startReadyGateway } from '../support/gateway.ts'
import { Liar } from '../support/liar.ts'
import { PATIENTLY } from '../support/patience.ts'
import { DESTROYS } from '../support/scripted-server.ts'
import { startWatch } from '../support/stopwatch.ts'
import { openWitness } from '../support/witness.ts'

afterAll(cleanUp)

const TOOLS = 2000
const ROWS = 50_000
const PAGE = 250

let gateway: Gateway
let viewer: AdminClient

const pages = Array.from({ length: TOOLS / PAGE }, (_, page) =>
  Array.from({ length: PAGE }, (_none, at) => {
    const name = `remove_record_${page * PAGE + at}`
    const description = `Removes the record number ${page * PAGE + at} of a customer from the archive.`
    return { name, description, inputSchema: { type: 'object' }, annotations: DESTROYS }
  }),
)

/** Rows spread over the last six days. */
function fillLog(): void {
  const database = openDatabase(join(gateway.site.home, 'data/hintgate.db'))
  const apart = Math.floor((6 * 24 * 3600_000) / ROWS)
  const startedAt = Date.now() - ROWS * apart
  const rows = Array.from({ length: ROWS }, (_, at) => exampleRow(at + 1, startedAt + at * apart))
  database.exec('begin')
  const insert = prepareChunks(database)
  for (const chunk of toChunks(rows)) insert(chunk)
  database.exec('commit')
  database.close()
}

function exampleRow(seq: number, at: number): AuditRow {
  return {
    writer: 999,
    seq,
    at,
    kind: 'call',
    request: `filled-${seq.toString(36)}`,
    agent: 'agent:bot',
    server: 'many',
    tool: `remove_${seq % 97}`,
    variant: 'read',
    verdict: 'allow',
    outcome: 'answered',
    code: '',
    body: JSON.stringify({ ms: seq % 50, title: 'Remove it', args: { n: seq } }),
    prev: '',
    hash: '',
  }
}

beforeAll(async () => {
  const liar = new Liar('many', await openWitness(), [{ pages }])
  gateway = await startReadyGateway({ quarantine: true, mcpServers: { many: liar.config } })
  viewer = await adminWith(gateway, 'viewer')
  const listed = async () => (await viewer.listTools({ query: { limit: 1 } })).total
  await vi.waitFor(async () => expect(await listed()).toBe(TOOLS), PATIENTLY)
  fillLog()
})

/** The longest delay of other requests meanwhile, in milliseconds. */
async function longestWait(work: () => Promise<unknown>): Promise<number> {
  let isOver = false
  let longest = 0
  const asking = (async () => {
    while (!isOver) {
      const waited = startWatch(gateway.pid)
      await (await fetch(`${gateway.url}/healthz`)).text()
      longest = Math.max(longest, waited())
    }
  })()
  await work()
  isOver = true
  await asking
  return longest
}

describe('the admin API with very much data', () => {
  it('returns the log by page without delaying other requests', async () => {
    const first = await viewer.listActivity({ query: { limit: 50 } })
    expect([first.items.length, first.next === undefined]).toEqual([50, false])
    const second = await viewer.listActivity({ query: { limit: 50, cursor: first.next ?? '' } })
    expect(second.items[0]?.at).toBeLessThan(first.items.at(-1)?.at ?? 0)
    // A search without matches stops after a while and can be continued.
    const none = await viewer.listActivity({ query: { limit: 500, text: 'no such words' } })
    expect([none.items.length, none.next === undefined]).toEqual([0, false])
    const waited = await longestWait(() =>
      viewer.listActivity({ query: { limit: 500, text: 'no such words' } }),
    )
    expect(waited).toBeLessThan(3000)
  })

  it('returns a partial summary at once and completes it in the background', async () => {
    const waited = await longestWait(() => viewer.overview({ query: { window: '7d' } }))
    expect(waited).toBeLessThan(3000)
    await expect
      .poll(async () => (await viewer.overview({ query: { window: '7d' } })).totals.calls, { interval: 500 })
      .toBeGreaterThan(Math.min(ROWS, 200_000) * 0.95)
  })

  it('returns tools by page', async () => {
    const page = await viewer.listTools({ query: { limit: 100, sort: '-risk' } })
    expect([page.items.length, page.total]).toEqual([100, TOOLS])
    const search = () => viewer.listTools({ query: { limit: 500, query: 'record number' } })
    expect(await longestWait(search)).toBeLessThan(3000)
  })

  it('returns definitions that wait for review by page', async () => {
    const page = await viewer.listReview({ query: { limit: 20 } })
    expect([page.items.length, page.total]).toEqual([20, TOOLS])
    const more = () => viewer.listReview({ query: { limit: 200, cursor: page.next ?? '' } })
    expect(await longestWait(more)).toBeLessThan(3000)
  })
})
