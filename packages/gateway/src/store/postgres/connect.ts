import type { PostgresDialect as Dialect, PostgresPoolClient } from 'kysely'
import { Client, type ClientBase, type ClientConfig, Pool, type PoolClient, types } from 'pg'
import { HintgateError, hasCode } from '../../base/errors.ts'
import { PostgresDialect } from '../sql/kysely.ts'
import { translateError } from './postgres-errors.ts'

/** The database's address, and the same address without a password for use in messages. */
export interface Address {
  readonly url: string
  readonly store: string
}

/**
 * Parses a database address. The address of a Unix socket has no host:
 * `postgres://user@/database?host=/run/postgresql`.
 */
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
/** Time limit for a statement. The gateway's statements are fast, and one that hangs would block a call. */
const STATEMENT_MS = 10_000
/** Slightly longer than the statement's limit. It applies when the database itself does not report the timeout. */
const ANSWER_MS = STATEMENT_MS + 2000
/** Connections per replica. PostgreSQL allows 100 by default, so ten replicas leave some for other programs. */
const MAX_CONNECTIONS = 8
const IDLE_MS = 30_000

const SHORT_TIMEOUTS = {
  statement_timeout: STATEMENT_MS,
  query_timeout: ANSWER_MS,
  idle_in_transaction_session_timeout: STATEMENT_MS,
}

/**
 * Creates a pool of connections. A `long` pool has no statement timeout, for long operations that no call waits for.
 */
export function createPool({ url }: Address, how: 'short' | 'long' = 'short'): Pool {
  const pool = new Pool({
    ...configOf(url),
    ...(how === 'short' ? SHORT_TIMEOUTS : {}),
    max: MAX_CONNECTIONS,
    idleTimeoutMillis: IDLE_MS,
    onConnect: prepare,
  })
  // The pool replaces a broken idle connection when it needs one, so there is nothing to handle.
  pool.on('error', () => {})
  return pool
}

/** Configures a new connection before its first use. */
async function prepare(client: ClientBase): Promise<void> {
  // A connection that breaks during a query makes the query fail. Without this listener, its error event would end the
  // process.
  client.on('error', () => {})
  // A commit must survive a crash, even if the server is configured to trade durability for speed.
  await client.query(DURABLE)
}

const DURABLE = `select set_config('synchronous_commit', 'on', false) where current_setting('synchronous_commit') = 'off'`

/** Opens a separate connection without a statement timeout. */
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

/** Parses a bigint as a number. The gateway stores only milliseconds, counts and sizes, which fit into a number. */
function findParser(oid: number, format?: 'text'): unknown {
  return oid === BIG_INTEGER ? Number : types.getTypeParser(oid, format)
}

export function createDialect(pool: Pool, store: string): Dialect {
  return new PostgresDialect({
    // Kysely closes only connections that it used itself, so the pool's owner closes the pool.
    pool: { connect: () => takeClient(pool, store), end: async () => {} },
  })
}

/** Takes a connection from the pool. A connection that broke or is still busy is not returned to the pool. */
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
    // Kysely's type also allows a cursor that streams results, which the gateway never uses.
    query: query as unknown as PostgresPoolClient['query'],
    release: () => client.release(isBroken),
  }
}
