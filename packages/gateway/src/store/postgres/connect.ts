import type { PostgresDialect as Dialect, PostgresPoolClient } from 'kysely'
import { Client, type ClientBase, type ClientConfig, Pool, type PoolClient, types } from 'pg'
import { HintgateError, hasCode } from '../../base/errors.ts'
import { PostgresDialect } from '../sql/kysely.ts'
import { translateError } from './postgres-errors.ts'

/** The address of the database, and its form without a password for messages. */
export interface Address {
  readonly url: string
  readonly store: string
}

/** Reads an address. That of a socket has no host: `postgres://user@/database?host=/run/postgresql`. */
export function readAddress(url: string): Address {
  const readable = url.replace(NO_HOST, `$&${SOCKET}`)
  if (!URL.canParse(readable))
    throw new HintgateError('store_forbidden', { store: 'postgres://…', why: UNREADABLE })
  const { protocol, username, host, pathname, searchParams } = new URL(readable)
  const user = username === '' ? '' : `${username}@`
  const isSocket = host === SOCKET || searchParams.has('host')
  const place = isSocket ? ` at ${searchParams.get('host') ?? 'the default socket'}` : ''
  return { url, store: `${protocol}//${user}${isSocket ? '' : host}${pathname}${place}` }
}

const NO_HOST = /^[a-z]+:\/\/(?:[^@/]*@)?(?=\/|\?|$)/
const SOCKET = 'socket'
const UNREADABLE = 'the address is not a valid URL'
const CONNECT_MS = 5000
/** The time limit of a statement: the gateway's statements are fast, and one that hangs would block a call. */
const STATEMENT_MS = 10_000
/** A slightly longer limit, for a database that does not report its own timeout. */
const ANSWER_MS = STATEMENT_MS + 2000
/** With ten replicas, a PostgreSQL with default settings (100 connections) still has some left for others. */
const MAX_CONNECTIONS = 8
const IDLE_MS = 30_000

const SHORT_TIMEOUTS = {
  statement_timeout: STATEMENT_MS,
  query_timeout: ANSWER_MS,
  idle_in_transaction_session_timeout: STATEMENT_MS,
}

/** Creates a pool; a `long` one has no statement timeouts, for long work that no call waits for. */
export function createPool({ url }: Address, how: 'short' | 'long' = 'short'): Pool {
  const pool = new Pool({
    ...configOf(url),
    ...(how === 'short' ? SHORT_TIMEOUTS : {}),
    max: MAX_CONNECTIONS,
    idleTimeoutMillis: IDLE_MS,
    onConnect: prepare,
  })
  // The pool replaces a broken idle connection when needed, so the error needs no handling.
  pool.on('error', () => {})
  return pool
}

/** Prepares a new connection before it is used. */
async function prepare(client: ClientBase): Promise<void> {
  // A connection that breaks in use fails its query; without a listener the event would end the process.
  client.on('error', () => {})
  // Commits must be durable, even if the server is configured for speed instead.
  await client.query(DURABLE)
}

const DURABLE = `select set_config('synchronous_commit', 'on', false) where current_setting('synchronous_commit') = 'off'`

/** A separate connection, without statement timeouts. */
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

/** Parses a bigint as a number: the gateway's bigints are milliseconds, counts and sizes, which fit. */
function findParser(oid: number, format?: 'text'): unknown {
  return oid === BIG_INTEGER ? Number : types.getTypeParser(oid, format)
}

export function createDialect(pool: Pool, store: string): Dialect {
  return new PostgresDialect({
    // Kysely ends only connections that it used, so the owner of the pool ends it.
    pool: { connect: () => takeClient(pool, store), end: async () => {} },
  })
}

/** Takes a connection from the pool. If it breaks or is still busy, it is not returned. */
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
    // Kysely may also ask for a cursor to stream results, which is never used here.
    query: query as unknown as PostgresPoolClient['query'],
    release: () => client.release(isBroken),
  }
}
