import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { describeStore } from '../contract.ts'
import { exampleWriter, sealStart } from '../contract-audit.ts'
import { exampleToken } from '../contract-tokens.ts'
import { untilGrown } from '../contract-waiting.ts'
import { openStore } from '../open/open-store.ts'
import type { Store } from '../store.ts'
import { readAddress } from './connect.ts'
import { MIGRATIONS } from './migrations.ts'
import { openDatabase } from './open-database.ts'
import { translateError } from './postgres-errors.ts'
import type { PostgresServer } from './test-support/embedded-postgres.ts'
import { createDatabase, type Database, hasPostgres, startPostgres } from './test-support/postgres-places.ts'

describe.skipIf(!hasPostgres())('with PostgreSQL', () => {
  let server: PostgresServer
  let database: Database
  beforeAll(async () => {
    server = await startPostgres()
    database = await createDatabase(server)
  })
  afterAll(async () => {
    await database.drop()
    await server.stop()
  })

  describeStore('PostgreSQL', async () => {
    await database.clear()
    return { open: () => openStore(database.url), remove: async () => {} }
  })

  describe('a PostgreSQL store', () => {
    let opened: Store[]
    beforeEach(async () => {
      opened = []
      await database.clear()
    })
    afterEach(() => Promise.all(opened.map(store => store.close())))

    const open = async (): Promise<Store> => {
      const store = await openStore(database.url)
      opened.push(store)
      return store
    }
    const cut = () =>
      database.run(`select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'hintgate' and datname = current_database()`)
    const connections = async (): Promise<unknown> => {
      const [row] = await database.run(`select count(*)::int as count from pg_stat_activity
        where application_name = 'hintgate' and datname = current_database()`)
      return row?.count
    }

    it('is created once under concurrent first opens', async () => {
      const stores = await Promise.all(Array.from({ length: 5 }, open))
      await stores[0]?.tokens.insert(exampleToken('bot'))
      expect(await stores[4]?.tokens.findByName('bot')).toEqual(exampleToken('bot'))
      expect(await database.run('select version from hintgate.schema_version')).toEqual([
        { version: MIGRATIONS.length },
      ])
    })

    it('of an older version is migrated and keeps its data', async () => {
      const old = await openDatabase(readAddress(database.url), MIGRATIONS.slice(0, 1))
      await old.client.query(`insert into hintgate.tokens (name, kind, hash, hint, scope, created_at)
        values ('bot', 'agent', 'hash-of-bot', 'hg_agent_abcd…', '${JSON.stringify(exampleToken('bot').scope)}', 1000)`)
      await old.client.end()
      expect(await (await open()).tokens.findByName('bot')).toEqual(exampleToken('bot'))
    })

    it('of an older version keeps its audit log, each chain in its order', async () => {
      const old = await openDatabase(readAddress(database.url), MIGRATIONS.slice(0, 7))
      await old.client.query(`insert into hintgate.audit_writers (id, name, started_at, place, pid, process_start, key_id,
        seen_at) values (1, 'a', 1, '', 1, '', '', 1), (2, 'b', 1, '', 1, '', '', 1)`)
      await old.client.query(`insert into hintgate.audit_rows (writer, seq, at, kind, request, agent, server, tool, variant,
          verdict, outcome, code, body, prev, hash)
        select 1 + i % 2, (i + 1) / 2, i, 'call', 'p-' || i, 'agent:a', 's', 't', 'read', 'allow', 'answered', '', '{}',
          'h' || ((i + 1) / 2 - 1), 'h' || ((i + 1) / 2) from generate_series(1, 1500) as i order by i`)
      await old.client.end()
      const { audit } = await open()
      const { rows } = await audit.read(undefined, 2000)
      for (const writer of [1, 2])
        expect(rows.filter(row => row.writer === writer).map(({ seq }) => seq)).toEqual(
          Array.from({ length: 750 }, (_, index) => index + 1),
        )
      expect((await audit.find('p-77')).map(({ at }) => at)).toEqual([77])
      expect((await audit.check(undefined, 2000)).misfiled).toEqual([])
      const { calls } = await audit.query({ agent: 'agent:a', tool: 't', limit: 2 })
      expect(calls.map(({ ending }) => ending.at)).toEqual([1500, 1499])
    })

    it('is unchanged when a migration fails', async () => {
      await (await open()).tokens.insert(exampleToken('bot'))
      const broken = {
        version: MIGRATIONS.length + 1,
        statements: ['drop table hintgate.tokens', 'no such thing'],
      }
      const failed = openDatabase(readAddress(database.url), [...MIGRATIONS, broken])
      await expect(failed).rejects.toThrow('syntax error')
      expect(await (await open()).tokens.findByName('bot')).toEqual(exampleToken('bot'))
    })

    it('of a newer version is refused with both version numbers', async () => {
      await open()
      await database.run('update hintgate.schema_version set version = 99')
      await expect(open()).rejects.toMatchObject({
        code: 'store_newer',
        payload: { found: 99, known: MIGRATIONS.length },
      })
    })

    it('is created in its own schema, apart from the tables of other programs', async () => {
      await database.run('create table recipes (name text)')
      await open()
      await Promise.all(opened.map(store => store.close()))
      await database.run(
        'drop table recipes',
        'drop schema hintgate cascade',
        'create schema hintgate',
        'create table hintgate.recipes (name text)',
      )
      await expect(open()).rejects.toMatchObject({ code: 'store_foreign' })
    })

    it('that does not exist or denies access is refused with a code', async () => {
      await expect(openStore(server.url('no_such_database'))).rejects.toMatchObject({
        code: 'store_forbidden',
      })
      await expect(openStore('postgres://me@127.0.0.1:1/x')).rejects.toMatchObject({
        code: 'store_unreachable',
      })
      await expect(openStore('postgres://me:x@:::/x')).rejects.toMatchObject({ code: 'store_forbidden' })
    })

    it('that is read-only is refused with a code', async () => {
      await open()
      const { name } = database
      await database.run(`alter database ${name} set default_transaction_read_only = on`)
      try {
        const store = await open()
        await expect(store.tokens.insert(exampleToken('bot'))).rejects.toMatchObject({
          code: 'store_read_only',
        })
      } finally {
        await database.run(
          'set default_transaction_read_only = off',
          `alter database ${name} reset default_transaction_read_only`,
        )
      }
    })

    it('works again after its connections were cut, and reports changes from that time', async () => {
      const [mine, other] = [await open(), await open()]
      await mine.tokens.insert(exampleToken('bot'))
      await other.tokens.list()
      await cut()
      const before = mine.version()
      await expect.poll(() => other.tokens.revoke('bot', 77).catch(() => false)).toBe(true)
      await untilGrown(mine, before)
      expect(await mine.tokens.findByName('bot')).toMatchObject({ revokedAt: 77 })
      // Also counts the listening connection, which is open again.
      await expect.poll(connections, { timeout: 3000 }).toBeGreaterThanOrEqual(4)
      const listening = mine.version()
      await other.tokens.insert(exampleToken('next'))
      await untilGrown(mine, listening)
    })

    it('reports changes even if notifications are lost', async () => {
      const [mine, other] = [await open(), await open()]
      await database.run(`create or replace function hintgate.announce_change() returns trigger language plpgsql as $$
        begin update hintgate.changes set version = version + 1; return null; end $$`)
      const before = mine.version()
      await other.tokens.insert(exampleToken('bot'))
      await untilGrown(mine, before)
    })

    it('leaves no connection open after closing', async () => {
      const store = await open()
      await Promise.all(Array.from({ length: 20 }, () => store.tokens.list()))
      expect(await connections()).toBeLessThanOrEqual(9)
      await store.close()
      await store.close()
      await expect.poll(connections).toBe(0)
    })

    it('returns the version without a query', async () => {
      const store = await open()
      const rounds = Array.from({ length: 5 }, () => {
        const start = performance.now()
        for (let i = 0; i < 10_000; i++) store.version()
        return (performance.now() - start) / 10
      })
      expect(Math.min(...rounds)).toBeLessThan(5)
    })

    it('stores what a server declares about a tool with an unstorable name', async () => {
      const store = await open()
      const key = { server: 'crm', kind: 'tool', name: 'a\0b' } as const
      const definitions = [{ ...key, fingerprint: 'f', definition: '{"name":"a\\u0000b"}' }]
      await store.definitions.see('crm', { kinds: ['tool'], definitions }, 1)
      const review = { verdict: 'approved', by: 'ada', at: 1 } as const
      expect(await store.definitions.review(key, 'f', review)).toBe(true)
      expect(await store.definitions.disable(key, true)).toBe(true)
      expect(await store.definitions.load('crm', key)).toMatchObject([
        { name: 'a\0b', versions: [{ review }] },
      ])
      await store.sessions.save(
        {
          id: 's',
          principal: 'p',
          riskFactors: '{"external_communication":{"tool":"a\\u0000\\ud800"}}',
          usedAt: 1,
        },
        0,
      )
      await store.sessions.save({ id: 's', principal: 'p', riskFactors: '{"private_data":{}}', usedAt: 2 }, 0)
      expect(await store.sessions.find('s')).toMatchObject({
        riskFactors: '{"external_communication":{"tool":"a\\u0000\\ud800"},"private_data":{}}',
      })
    })

    it('lets replicas store and review the same tools concurrently', async () => {
      const stores = await Promise.all([open(), open(), open()])
      const names = Array.from({ length: 40 }, (_, index) => `tool_${index}`)
      const rule = { verdict: 'approved', by: 'rule', at: 1 } as const
      const see = (store: Store, index: number) => {
        const definitions = names.map(
          name => ({ kind: 'tool', name, fingerprint: 'f', definition: '{}', review: rule }) as const,
        )
        return store.definitions.see(
          'crm',
          { kinds: ['tool'], definitions: index % 2 ? definitions : definitions.toReversed() },
          1,
        )
      }
      const review = (store: Store) =>
        store.definitions.reviewAll(
          names.toReversed().map(name => ({
            server: 'crm',
            kind: 'tool',
            name,
            fingerprint: 'f',
            review: { ...rule, by: 'ada' },
          })),
        )
      await Promise.all(
        Array.from({ length: 12 }, (_, index) => {
          const store = stores[(index % 3) as 0 | 1 | 2]
          return index % 4 === 3 ? review(store) : see(store, index)
        }),
      )
      await review(stores[0])
      const found = await stores[1].definitions.load('crm')
      expect(
        found.every(({ current, versions }) => current === 'f' && versions[0]?.review?.by === 'ada'),
      ).toBe(true)
    })

    it('shows no audit row before all rows with lower numbers', async () => {
      const [mine, other] = [await open(), await open()]
      const [a, b] = [
        await mine.audit.register(exampleWriter('a'), sealStart),
        await mine.audit.register(exampleWriter('b'), sealStart),
      ]
      const slow = await openDatabase(readAddress(database.url))
      await slow.client.query('begin')
      await slow.client.query(appendStatement(a, 'slow'))
      const row = {
        writer: b,
        seq: 1,
        at: 1,
        kind: 'call',
        request: 'quick',
        agent: '',
        server: '',
        tool: '',
        variant: '',
        verdict: '',
        outcome: '',
        code: '',
        body: '',
        prev: '',
        hash: 'h',
      } as const
      await other.audit.append({
        writer: b,
        rows: [row],
        head: { seq: 1, hash: 'h', mac: 'm' },
        openFrom: 2,
        at: 1,
      })
      const read = mine.audit.read(undefined, 10)
      await new Promise(resolve => setTimeout(resolve, 100))
      await slow.client.query('commit')
      await slow.client.end()
      expect((await read).rows.map(({ request }) => request)).toEqual(['slow', 'quick'])
    })
  })
})

function appendStatement(writer: number, request: string): string {
  const texts = ['1', '1', 'call', request, '', '', '', '', '', '', '', '', 'h', '{}'].join('\u001f')
  const span = { series: request, first: 0, last: 0 }
  const chunk = {
    writer,
    firstSeq: 1,
    lastSeq: 1,
    since: 1,
    until: 1,
    endings: 1,
    about: '',
    facets: [],
    spans: [span],
  }
  return `select hintgate.append_chunks(${writer}, null, 1, 2, array['1', 'h', 'm'], 1,
    '${JSON.stringify([chunk])}', '${texts}')`
}

describe('a PostgreSQL address', () => {
  it('is shown without its password', () => {
    const { store } = readAddress('postgres://me:hunter2@db.example:5433/hintgate?password=hunter2')
    expect(store).toBe('postgres://me@db.example:5433/hintgate')
  })

  it('can name a socket instead of a host', () => {
    const socket = '?host=/run/postgresql'
    expect(readAddress(`postgres://me:hunter2@/db${socket}`).store).toBe(
      'postgres://me@/db at /run/postgresql',
    )
    expect(readAddress(`postgresql:///db${socket}`).store).toBe('postgresql:///db at /run/postgresql')
  })

  it('does not reveal the password when the server is unreachable', async () => {
    const refused = openStore('postgres://me:hunter2@127.0.0.1:1/hintgate')
    await expect(refused).rejects.toMatchObject({ code: 'store_unreachable' })
    await expect(refused).rejects.not.toThrow('hunter2')
  })
})

describe('a PostgreSQL error', () => {
  const coded = (code: string) => translateError(Object.assign(new Error('x'), { code }), 'postgres://a')

  it('is translated to one of our codes, unless it is a bug', () => {
    expect(coded('28P01')).toMatchObject({ code: 'store_forbidden' })
    expect(coded('57P01')).toMatchObject({ code: 'store_unreachable' })
    expect(coded('08006')).toMatchObject({ code: 'store_unreachable' })
    expect(coded('57014')).toMatchObject({ code: 'store_locked' })
    expect(coded('42601')).not.toHaveProperty('remedy')
    expect(translateError(new Error('Connection terminated unexpectedly'), 'a')).toMatchObject({
      code: 'store_unreachable',
    })
    const asked = new Error('SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string')
    expect(translateError(asked, 'a')).toMatchObject({ code: 'store_forbidden' })
    const bug = new TypeError('a bug')
    expect(translateError(bug, 'a')).toBe(bug)
  })
})
