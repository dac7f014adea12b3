import {
  findBinaries,
  type OwnServer,
  startOwnServer,
} from '../../packages/gateway/src/store/postgres/test-support/embedded-postgres.ts'
import {
  createDatabase,
  type Database,
  hasPostgres,
  startPostgres,
} from '../../packages/gateway/src/store/postgres/test-support/postgres-places.ts'
import { later } from './clean-up.ts'

export { hasPostgres }

/** Whether there is a PostgreSQL that a test may stop and start. */
export const hasOwnPostgres = (): boolean => findBinaries() !== undefined

/** A new database, which is dropped after the tests of this file. */
export async function openDatabase(): Promise<Database> {
  const server = await startPostgres()
  later(() => server.stop())
  const database = await createDatabase(server)
  later(() => database.drop())
  return database
}

/** A new database on a separate server. */
export async function openOwnDatabase(): Promise<{ server: OwnServer; database: Database }> {
  const server = await startOwnServer(findBinaries() ?? '')
  later(() => server.stop())
  return { server, database: await createDatabase(server) }
}
