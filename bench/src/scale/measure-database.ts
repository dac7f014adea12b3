// The cost of replicas' requests to PostgreSQL: the CPU time of all its processes.
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { readUsage } from '../performance/process-usage.ts'
import { startPostgres } from '../performance/start-postgres.ts'
import { appendBatches } from './append-rows.ts'
import { openStore } from './store-parts.ts'
import type { UnitCosts } from './unit-costs.ts'

const BATCHES = 300
const BIG = 64
const LOOKUPS = 3000
const CHANGES = 150
const LISTENERS = 40

type Postgres = NonNullable<Awaited<ReturnType<typeof startPostgres>>>
type Store = Awaited<ReturnType<typeof openStore>>

export async function measureDatabase(): Promise<UnitCosts['database']> {
  const postgres = await startPostgres()
  if (postgres === undefined) throw new Error('PostgreSQL not found. Put initdb on the PATH.')
  const store = await openStore(postgres.url('log'))
  try {
    return {
      ...(await measureRows(postgres, store)),
      ...(await measureSessions(postgres, store)),
      ...(await measureChanges(postgres, store)),
    }
  } finally {
    await store.close()
    await postgres.stop()
  }
}

async function measureRows(postgres: Postgres, { audit }: Store) {
  await appendBatches(audit, 50, BIG)
  const single = await microsOf(postgres, BATCHES, () => appendBatches(audit, BATCHES, 1))
  const before = sizeOf(join(postgres.folder, 'data/base'))
  const big = await microsOf(postgres, BATCHES, () => appendBatches(audit, BATCHES, BIG))
  const bytesPerRow = (sizeOf(join(postgres.folder, 'data/base')) - before) / (BATCHES * BIG)
  const rowMicros = (big - single) / (BIG - 1)
  return { batchMicros: single - rowMicros, rowMicros, bytesPerRow }
}

async function measureSessions(postgres: Postgres, { sessions }: Store) {
  const session = { id: 'bench', principal: 'agent:bot', riskFactors: '{}', usedAt: Date.now() }
  await sessions.save(session, 0)
  const lookupMicros = await microsOf(postgres, LOOKUPS, () => repeat(LOOKUPS, () => sessions.find('bench')))
  const writeMicros = await microsOf(postgres, BATCHES, () =>
    repeat(BATCHES, at => sessions.save({ ...session, id: `bench${at}` }, 0)),
  )
  return { lookupMicros, writeMicros }
}

/** Once with no other listener, and once with many. */
async function measureChanges(postgres: Postgres, store: Store) {
  const alone = await measureInserts(postgres, store, 'alone')
  const others = await Promise.all(Array.from({ length: LISTENERS }, () => openStore(postgres.url('log'))))
  try {
    const together = await measureInserts(postgres, store, 'together')
    const deliveryMicros = Math.max(0, (together - alone) / LISTENERS)
    return { changeMicros: alone - deliveryMicros, deliveryMicros }
  } finally {
    await Promise.all(others.map(other => other.close()))
  }
}

/** Minus the cost of the same time without a change, because listeners also poll. */
async function measureInserts(postgres: Postgres, { tokens }: Store, prefix: string): Promise<number> {
  const insert = (at: number): Promise<void> =>
    tokens.insert({
      name: `${prefix}-${at}`,
      kind: 'agent',
      hash: `${prefix}-${at}`,
      hint: 'hg_agent_',
      scope: { permissions: [], servers: [] },
      createdAt: Date.now(),
    })
  const start = performance.now()
  const busy = await microsOf(postgres, 1, () => repeat(CHANGES, insert))
  const ms = performance.now() - start
  const idle = await microsOf(postgres, 1, () => new Promise(resolve => setTimeout(resolve, ms)))
  return (busy - idle) / CHANGES
}

async function repeat(count: number, work: (at: number) => Promise<unknown>): Promise<void> {
  for (let at = 0; at < count; at++) await work(at)
}

async function microsOf({ pid }: Postgres, count: number, work: () => Promise<void>): Promise<number> {
  const before = readUsage(pid).cpuMicros
  await work()
  return (readUsage(pid).cpuMicros - before) / count
}

function sizeOf(folder: string): number {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).reduce((sum, name) => {
    const stats = statSync(join(folder, name), { throwIfNoEntry: false })
    return sum + (stats?.isFile() === true ? stats.size : 0)
  }, 0)
}
