import type { PostgresDialect as Dialect, PostgresPoolClient } from 'kysely'
import { Client, type ClientBase, type ClientConfig, Pool, type PoolClient, types } from 'pg'
import { HintgateError, hasCode } from '../../base/errors.ts'
import { PostgresDialect } from '../sql/kysely.ts'
import { translateError } from './postgres-errors.ts'

/** Where the database is, and how it may be called in front of people: without a password. */
export interface Address {
  readonly url: string
  readonly store: string
}

/** A socket has no host: `postgres://user@/database?host=/run/postgresql`. */
export function readAddress(url: string): Address {
  const readable = url.replace(NO_HOST, `$&${SOCKET}`)
  if (!URL.canParse(readable))
    throw new HintgateError('store_forbidden', { store: 'postgres://…', why: UNREADABLE })
  const { protocol, username, host, pathname, searchParams } = new URL(readable)
  const user = username === '' ? '' : `${username}@`
  const isSocket = host === SOCKET || searchParams.has('host')
  const place = isSocket ? ` at ${searchParams.get('host') ?? 'its usual place'}` : ''
  return { url, store: `${protocol}//${user}${isSocket ? '' : host}${pathname}${place}` }
}

const NO_HOST = /^[a-z]+:\/\/(?:[^@/]*@)?(?=\/|\?|$)/
const SOCKET = 'socket'
const UNREADABLE = 'the address cannot be read'
const CONNECT_MS = 5000
/** No statement of ours is slow; one that hangs keeps a call waiting. */
const STATEMENT_MS = 10_000
/** A little later, for a server that does not even say so. */
const ANSWER_MS = STATEMENT_MS + 2000
/** With ten replicas a PostgreSQL as it comes (100 connections) still has room for others. */
const MAX_CONNECTIONS = 8
const IDLE_MS = 30_000

const HASTY = {
  statement_timeout: STATEMENT_MS,
  query_timeout: ANSWER_MS,
  idle_in_transaction_session_timeout: STATEMENT_MS,
}

/** `patient`: for work that takes its time and that nobody waits for. */
export function createPool({ url }: Address, how: 'hasty' | 'patient' = 'hasty'): Pool {
  const pool = new Pool({
    ...configOf(url),
    ...(how === 'hasty' ? HASTY : {}),
    max: MAX_CONNECTIONS,
    idleTimeoutMillis: IDLE_MS,
    onConnect: prepare,
  })
  // An idle connection that breaks is replaced when somebody needs one; nobody else has to know.
  pool.on('error', () => {})
  return pool
}

/** Before anybody else uses the connection. */
async function prepare(client: ClientBase): Promise<void> {
  // One that breaks in somebody's hands tells them through their query; without a listener it would end the process.
  client.on('error', () => {})
  // What we promise to be durable must be, even where the server is set up to be quick instead.
  await client.query(DURABLE)
}

const DURABLE = `select set_config('synchronous_commit', 'on', false) where current_setting('synchronous_commit') = 'off'`

/** A connection of its own, without time limits for statements. */
export async function connectClient({ url, store }: Address): Promise<Client> {
  let client: Client | undefined
  try {
    client = new Client(configOf(url))
    client.on('error', () => {})
    await client.connect()
    return client
  } catch (error) {
    await client?.end().catch(() => {})
    throw translateError(error, store)
  }
}

function configOf(url: string): ClientConfig {
  return {
    connectionString: url,
    application_name: 'hintgate',
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    types: { getTypeParser: findParser as typeof types.getTypeParser },
  }
}

const BIG_INTEGER: number = types.builtins.INT8

/** Our big integers are milliseconds, counts and sizes: they fit into a number. */
function findParser(oid: number, format?: 'text'): unknown {
  return oid === BIG_INTEGER ? Number : types.getTypeParser(oid, format)
}

export function createDialect(pool: Pool, store: string): Dialect {
  return new PostgresDialect({
    // Kysely ends only what it has used, so the pool is ended by who made it.
    pool: { connect: () => takeClient(pool, store), end: async () => {} },
  })
}

/** A client that broke, or is still busy with what we no longer wait for, is not given to anybody else. */
async function takeClient(pool: Pool, store: string): Promise<PostgresPoolClient> {
  let isBroken = false
  const coded = (error: unknown): never => {
    const translated = translateError(error, store)
    isBroken ||= hasCode(translated, 'store_unreachable')
    throw translated
  }
  const client: PoolClient = await pool.connect().catch(coded)
  const query = (text: string, parameters: unknown[]) => client.query(text, parameters).catch(coded)
  return {
    // Nobody here streams with a cursor, which is the other thing that Kysely may ask for.
    query: query as unknown as PostgresPoolClient['query'],
    release: () => client.release(isBroken),
  }
}
