// The cost of the audit log: through the whole gateway, and alone in both stores.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type CostFigures, measureAuditCost } from './audit-cost.ts'
import { type LogFigures, measureLog } from './audit-log.ts'
import type { LoadProcess } from './load-process.ts'
import { startPostgres } from './start-postgres.ts'

export interface AuditFigures {
  readonly cost: CostFigures
  /** At a concurrency at which commits are shared. */
  readonly crowdedCost: CostFigures
  /** The same calls, recorded in PostgreSQL on the same machine; its CPU time does not count. */
  readonly costOnPostgres?: CostFigures
  readonly sqlite: LogFigures
  readonly postgres?: LogFigures
}

const ROWS = 1_000_000
const CROWD = 64

export async function measureAudit(
  load: LoadProcess,
  say: (text: string) => void,
  rows = ROWS,
): Promise<AuditFigures> {
  const cost = await measureAuditCost(load)
  const crowdedCost = await measureAuditCost(load, { concurrency: CROWD })
  say(`recording and reading ${rows} rows in SQLite`)
  const sqlite = await measureInSqlite(rows)
  const server = await startPostgres()
  if (server === undefined) {
    say('No PostgreSQL found, so it is not measured. Put initdb on the PATH, or run npm test once.')
    return { cost, crowdedCost, sqlite }
  }
  try {
    const costOnPostgres = await measureAuditCost(load, { storeOf: server.url })
    say(`recording and reading ${rows} rows in PostgreSQL`)
    return { cost, crowdedCost, costOnPostgres, sqlite, postgres: await measureLog(server.url('log'), rows) }
  } finally {
    await server.stop()
  }
}

async function measureInSqlite(rows: number): Promise<LogFigures> {
  const folder = await mkdtemp(join(tmpdir(), 'hintgate-audit-'))
  try {
    return await measureLog(`sqlite:${join(folder, 'audit.db')}`, rows)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
