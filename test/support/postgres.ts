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

/** Whether there is one that a test may stop and start. */
export const hasOwnPostgres = (): boolean => findBinaries() !== undefined

/** A fresh database that goes when the tests of this file are over. */
export async function openDatabase(): Promise<Database> {
  const server = await startPostgres()
  later(() => server.stop())
  const database = await createDatabase(server)
  later(() => database.drop())
  return database
}

/** The same on a server of our own. */
export async function openOwnDatabase(): Promise<{ server: OwnServer; database: Database }> {
  const server = await startOwnServer(findBinaries() ?? '')
  later(() => server.stop())
  return { server, database: await createDatabase(server) }
}
