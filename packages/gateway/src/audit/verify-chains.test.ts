import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { tamperWithRows } from '../store/audit-log/test-support/tamper-with-rows.ts'
import { openSqliteStore } from '../store/sqlite/sqlite-store.ts'
import type { Store } from '../store/store.ts'
import { AuditRecorder } from './audit-recorder.ts'
import { hashRow } from './chain.ts'
import { pruneRows } from './prune-rows.ts'
import { Sealer } from './sealer.ts'
import { exampleEnding, exampleEntry } from './test-support/example-entry.ts'
import { type Head, verifyChains } from './verify-chains.ts'

describe('the chains of the log', () => {
  const secret = randomBytes(32)
  const sealer = new Sealer(secret)
  let folder: string
  let store: Store
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'hintgate-audit-'))
    store = openSqliteStore(join(folder, 'store.db'))
    await record('a', 5)
  })
  afterEach(async () => {
    await store.close()
    rmSync(folder, { recursive: true })
  })

  /** Records ten rows. */
  async function record(prefix: string, calls: number): Promise<void> {
    const recorder = new AuditRecorder({ store: store.audit, secret })
    for (let index = 0; index < calls; index++) {
      const entry = exampleEntry(`${prefix}${index}`, { at: 1000 + index })
      await recorder.intent(entry)
      await recorder.outcome(exampleEnding(entry))
    }
    await recorder.close()
  }
  const tamper = (...statements: string[]): void => tamperWithRows(join(folder, 'store.db'), ...statements)
  const findProblems = async (expected?: readonly Head[]) => {
    const { problems } = await verifyChains(store.audit, sealer, expected === undefined ? {} : { expected })
    return problems.map(({ kind, writer, seq }) => (seq === undefined ? [kind, writer] : [kind, writer, seq]))
  }

  it('are intact without tampering', async () => {
    await record('b', 3)
    const found = await verifyChains(store.audit, sealer)
    expect(found).toMatchObject({ rows: 16, writers: 2, sealed: 0, problems: [], problemCount: 0 })
    expect(found.heads.map(({ seq }) => seq)).toEqual([10, 6])
  })

  it('are intact after concurrent calls', async () => {
    const recorder = new AuditRecorder({ store: store.audit, secret })
    const entries = Array.from({ length: 40 }, (_, index) => exampleEntry(`many-${index}`))
    await Promise.all(entries.map(async entry => recorder.intent(entry)))
    await Promise.all(entries.map(async entry => recorder.outcome(exampleEnding(entry))))
    await recorder.close()
    expect(await verifyChains(store.audit, sealer)).toMatchObject({ rows: 90, writers: 2, problems: [] })
    tamper(`update audit_rows set agent = 'x' where writer = 2 and seq = 33`)
    expect(await findProblems()).toEqual([['edited', 2, 33]])
    tamper(`delete from audit_rows where writer = 2 and seq in (33, 34)`)
    expect(await findProblems()).toEqual([['missing', 2, 35]])
  })

  it.each([
    'at',
    'kind',
    'request',
    'agent',
    'server',
    'tool',
    'variant',
    'verdict',
    'outcome',
    'code',
    'body',
  ])('report an edited %s of a row', async column => {
    const value = { at: '7', kind: "'call'", body: `replace(body, 'A', 'B')` }[column] ?? "'x'"
    tamper(`update audit_rows set ${column} = ${value} where seq = 3`)
    expect(await findProblems()).toEqual([['edited', 1, 3]])
  })

  it('report an edited row with a matching hash', async () => {
    tamper(`update audit_rows set agent = 'agent:innocent' where seq = 3`)
    const [row] = await store.audit.readWriter(1, 2, 1)
    const [writer] = await store.audit.writers()
    if (row === undefined || writer === undefined) throw new Error('nothing there')
    tamper(`update audit_rows set hash = '${hashRow(writer.name, row)}' where seq = 3`)
    expect(await findProblems()).toEqual([['unlinked', 1, 4]])
  })

  it('report an edited row even if all hashes after it were recomputed', async () => {
    tamper(`update audit_rows set agent = 'agent:innocent' where seq = 3`)
    await rehash(1, 2)
    expect(await findProblems()).toEqual([['edited', 1, 10]])
    const [writer] = await store.audit.writers()
    const [last] = await store.audit.readWriter(1, 9, 1)
    tamper(`update audit_writers set head_hash = '${last?.hash}'`)
    expect(writer?.head?.seq).toBe(10)
    expect(await findProblems()).toEqual([['forged', 1, 10]])
  })

  /** Recomputes hashes, as an attacker with the database but without the key can. */
  async function rehash(id: number, after: number): Promise<void> {
    const name = (await store.audit.writers()).find(writer => writer.id === id)?.name ?? ''
    let [before] = await store.audit.readWriter(id, after - 1, 1)
    for (const row of await store.audit.readWriter(id, after, 1000)) {
      const moved = { ...row, prev: before?.hash ?? '' }
      const hash = hashRow(name, moved)
      tamper(
        `update audit_rows set prev = '${moved.prev}', hash = '${hash}' where writer = ${id} and seq = ${row.seq}`,
      )
      before = { ...moved, hash }
    }
  }

  const change = (statement: string, ...values: (string | number | null)[]): void => {
    const database = new DatabaseSync(join(folder, 'store.db'))
    database.prepare(statement).run(...values)
    database.close()
  }

  /** Adds a copy of chunk 4 with its index entries. */
  const add = (id: number, values: { readonly writer?: number; readonly rows?: string } = {}): void => {
    change(
      `insert into audit_chunks (id, writer, first_seq, last_seq, since, until, endings, about, rows)
       select ?, coalesce(?, writer), first_seq, last_seq, since, until, endings, about, coalesce(?, rows)
       from audit_chunks where id = 4`,
      id,
      values.writer ?? null,
      values.rows ?? null,
    )
    change('insert into audit_facets select facet, until, ?, since from audit_facets where chunk = 4', id)
    change('insert into audit_spans select series, last, first, ? from audit_spans where chunk = 4', id)
  }

  it('report rows of a chain that does not exist', async () => {
    const count = async () => (await store.audit.query({ agent: 'agent:bot', limit: 99 })).calls.length
    expect(await count()).toBe(5)
    add(100, { writer: 99 })
    expect(await count()).toBe(6)
    expect(await findProblems()).toEqual([['added', 99, 4]])
  })

  it('report a chain with a far higher number without checking all numbers between', async () => {
    await record('b', 1)
    tamper('update audit_writers set id = 9000000000000 where id = 2')
    expect(await findProblems()).toContainEqual(['no-writer', 2])
  })

  it.each([0, -1, -1_000_000])('report rows that were added as chunk %d', async id => {
    change(
      `insert into audit_chunks (id, writer, first_seq, last_seq, since, until, endings, about, rows)
       select ?, writer, first_seq, last_seq, since, until, endings, about, rows from audit_chunks where id = 2`,
      id,
    )
    expect(await findProblems()).not.toEqual([])
  })

  it('are not called intact if a chunk has an unreadable number', async () => {
    change('update audit_chunks set id = -9223372036854775807 - 1 where id = 10')
    await expect(findProblems()).rejects.toThrow(/too large/)
  })

  it('report rows behind chunks without rows', async () => {
    change(`update audit_chunks set rows = ? where id > 2`, '\u001c\u001c-1')
    const kinds = (await findProblems()).map(([kind]) => kind)
    expect(kinds).toContain('cut')
    expect(kinds).toContain('misfiled')
  })

  it.each([
    ['an invalid time', (row: string) => row.replace('\u001f1000\u001f', '\u001f1000.5\u001f')],
    ['an infinite time', (row: string) => row.replace('\u001f1000\u001f', '\u001f1e400\u001f')],
  ])('report a row with %s', async (_, forge) => {
    const database = new DatabaseSync(join(folder, 'store.db'))
    const { rows } = database.prepare('select rows from audit_chunks where id = 1').get() as { rows: string }
    database.close()
    expect(forge(rows)).not.toBe(rows)
    change('update audit_chunks set rows = ? where id = 1', forge(rows))
    expect(await findProblems()).toContainEqual(['misfiled', 1, 1])
  })

  it('are read even if a chunk has more index keys than one query takes', async () => {
    const recorder = new AuditRecorder({ store: store.audit, secret })
    // Adds chunks of a single row, which make the next slices longer.
    await record('quiet', 40)
    const entries = Array.from({ length: 40_000 }, (_, index) => exampleEntry(`b-${index.toString(36)}`))
    for (const [index, entry] of entries.entries()) {
      void recorder.outcome(exampleEnding(entry, { outcome: 'failed', code: `code-${index}` }))
      if (index % 5000 === 4999) await recorder.intent(exampleEntry(`wait-${index}`))
    }
    await recorder.close()
    expect((await verifyChains(store.audit, sealer)).problems).toEqual([])
  })

  it('are intact if another process prunes them during verification', async () => {
    await record('b', 300)
    let slices = 0
    const audit = {
      ...store.audit,
      check: async (after: string | undefined, limit: number) => {
        slices += 1
        if (slices === 3) await pruneRows(store.audit, sealer, 1200)
        return store.audit.check(after, limit)
      },
    }
    expect((await verifyChains(audit, sealer)).problems).toEqual([])
    expect(slices).toBeGreaterThan(3)
  })

  describe('report existing rows if', () => {
    const HIDDEN = [['misfiled', 1, 3]]

    it.each([
      [
        'their chunk counts no calls',
        'update audit_chunks set endings = 0 where first_seq = 4',
        [['misfiled', 1, 4]],
      ],
      [
        'their chunk has an earlier time',
        'update audit_chunks set until = until - 1 where first_seq = 3',
        HIDDEN,
      ],
      [
        'their chunk has a later time',
        'update audit_chunks set since = since + 1 where first_seq = 3',
        HIDDEN,
      ],
      ['their chunk has fewer rows', 'update audit_chunks set last_seq = 2 where first_seq = 3', HIDDEN],
      [
        'the tool is missing beside the chunk',
        `update audit_chunks set about = '' where endings > 0 and first_seq = 4`,
        [['misfiled', 1, 4]],
      ],
      [
        'the values beside the chunk do not match the patterns',
        `update audit_chunks set about = replace(trim(about, char(31)), char(31), char(31, 31)) where first_seq = 4`,
        [['misfiled', 1, 4]],
      ],
      [
        'the index entry of the agent is missing',
        'delete from audit_facets where chunk = 4',
        [['misfiled', 1, 4]],
      ],
      [
        'the index entry of the agent has another time',
        'update audit_facets set since = since + 1 where chunk = 4',
        [['misfiled', 1, 4]],
      ],
      [
        'the index entry of the agent points elsewhere',
        'update audit_facets set chunk = 99 where chunk = 4',
        [['misfiled', 1, 4]],
      ],
      ['the index entry of the request is missing', 'delete from audit_spans where chunk = 3', HIDDEN],
      ['the index entry has another request', `update audit_spans set series = 'x' where chunk = 3`, HIDDEN],
    ])('%s', async (_, statement, problems) => {
      change(statement)
      expect(await findProblems()).toEqual(problems)
    })

    it('a query does not match their values', async () => {
      const find = async () => (await store.audit.query({ outcome: 'answered', limit: 9 })).calls.length
      expect(await find()).toBe(5)
      // A body is stored in two parts, a head and the rest. If the head is empty, the row's shape ends with an empty
      // field.
      const [row] = await store.audit.readWriter(1, 3, 1)
      if (row === undefined) throw new Error('nothing there')
      const fields = ['', row.kind, row.agent, row.server, row.tool, row.variant, row.verdict, row.outcome]
      const place = [0, row.seq, row.at, row.request, row.prev, row.hash, row.body]
      const packed = `\u001c${fields.join('\u001f')}\u001c${place.join('\u001f')}`
      change('update audit_chunks set rows = ? where first_seq = 4', packed)
      expect(await find()).toBe(4)
      expect(await findProblems()).not.toEqual([])
    })

    it.each([
      [
        'an index omits them',
        'audit_chunks_by_time',
        '(until, id, since, about) where endings > 0',
        ' and id <> 4',
      ],
      [
        'an index has other values',
        'audit_chunks_by_time',
        `(until, id, since, replace(about, 'tool', 'x')) where endings > 0`,
        '',
      ],
      ['the chain index omits them', 'audit_chunks_by_chain', '(writer, last_seq)', ' where id <> 4'],
    ])('%s', async (_, name, columns, more) => {
      const database = new DatabaseSync(join(folder, 'store.db'))
      const schema = 'select sql from sqlite_schema where name = ?'
      const { sql } = database.prepare(schema).get(name) as { sql: string }
      database.enableDefensive(false)
      database.exec(`drop index ${name}; create index ${name} on audit_chunks ${columns}${more}`)
      database.exec('pragma writable_schema = on')
      database.prepare('update sqlite_schema set sql = ? where name = ?').run(sql, name)
      database.close()
      await store.close()
      store = openSqliteStore(join(folder, 'store.db'))
      expect(await findProblems()).toContainEqual(['misfiled', 1, 4])
    })

    it.each(['closed_at = 1', 'open_from = 99'])(
      'an open call is not found by the process that ends such calls: %s',
      async what => {
        const recorder = new AuditRecorder({ store: store.audit, secret })
        await recorder.intent(exampleEntry('lost'))
        const { id } = (await store.audit.writers()).at(-1) ?? { id: 0 }
        expect(await store.audit.open(id)).toHaveLength(1)
        expect(await findProblems()).toEqual([])
        change(`update audit_writers set ${what} where id = ?`, id)
        expect(await store.audit.open(what.startsWith('closed') ? undefined : id)).toEqual([])
        expect(await findProblems()).toEqual([['misfiled', id, 1]])
        await recorder.close()
        expect(await findProblems()).toEqual([])
      },
    )

    it('return rows once even if several index entries point to them', async () => {
      change(
        'insert into audit_facets select facet, until + 500, chunk, since from audit_facets where chunk = 2',
      )
      const { calls } = await store.audit.query({ agent: 'agent:bot', limit: 99 })
      expect(calls.map(({ ending }) => ending.request)).toEqual(['a4', 'a3', 'a2', 'a1', 'a0'])
    })

    it('report that a query can miss rows', async () => {
      change('delete from audit_facets')
      expect((await store.audit.query({ agent: 'agent:bot', limit: 9 })).calls).toEqual([])
      const { problems } = await verifyChains(store.audit, sealer)
      expect(problems[0]?.text).toContain('query, tail and export can miss')
    })
  })

  it('report missing rows in the middle, at the beginning and at the end', async () => {
    tamper('delete from audit_rows where seq in (4, 5)')
    expect(await findProblems()).toEqual([['missing', 1, 6]])
    tamper('delete from audit_rows where seq = 1')
    expect(await findProblems()).toEqual([
      ['missing', 1, 2],
      ['missing', 1, 6],
    ])
    tamper('delete from audit_rows where seq >= 9')
    expect((await findProblems()).at(-1)).toEqual(['cut', 1, 9])
  })

  it('report a cut end even if the stored head was changed to match', async () => {
    const [last] = await store.audit.readWriter(1, 7, 1)
    tamper(
      'delete from audit_rows where seq > 8',
      `update audit_writers set head_seq = 8, head_hash = '${last?.hash}'`,
    )
    expect(await findProblems()).toEqual([['forged', 1, 8]])
  })

  it('report rows in the wrong order', async () => {
    tamper(
      'update audit_rows set id = 1000 where seq = 3',
      'update audit_rows set id = 3 where seq = 4',
      'update audit_rows set id = 4 where id = 1000',
    )
    const kinds = (await findProblems()).map(([kind]) => kind)
    expect(kinds).toContain('reordered')
    expect(kinds).toContain('missing')
  })

  it('report rows whose numbers were swapped too', async () => {
    tamper(
      'update audit_rows set seq = 1000 where seq = 3',
      'update audit_rows set seq = 3 where seq = 4',
      'update audit_rows set seq = 4 where seq = 1000',
    )
    expect((await findProblems()).length).toBeGreaterThan(0)
  })

  it('report an inserted row, at the end and in the middle', async () => {
    const copy = (seq: number) =>
      `insert into audit_rows select null, writer, ${seq}, at, kind, 'new', agent, server, tool, variant, verdict, outcome,
       code, body, prev, hash from audit_rows where seq = 10`
    tamper(copy(11))
    expect((await findProblems()).map(([kind]) => kind)).toEqual(['unlinked', 'edited', 'added'])
    tamper(
      'delete from audit_rows where seq = 11',
      'update audit_rows set seq = seq + 100 where seq > 5',
      copy(6),
    )
    expect((await findProblems()).length).toBeGreaterThan(0)
  })

  it('report a row that was moved to another chain', async () => {
    await record('b', 2)
    tamper(
      'delete from audit_rows where writer = 2 and seq = 4',
      'update audit_rows set writer = 2, seq = 4 where writer = 1 and seq = 10',
    )
    const problems = await findProblems()
    expect(problems).toContainEqual(['edited', 2, 4])
    expect(problems).toContainEqual(['cut', 1, 10])
  })

  it('report a missing chain, with and without its rows', async () => {
    await record('b', 1)
    tamper('delete from audit_writers where id = 1')
    expect(await findProblems()).toContainEqual(['no-writer', 1])
    expect(await findProblems()).toContainEqual(['added', 1, 1])
    tamper('delete from audit_rows where writer = 1')
    expect(await findProblems()).toEqual([['no-writer', 1]])
  })

  it('report an emptied chain whose head was reset to before its first row', async () => {
    await record('b', 1)
    const { heads } = await verifyChains(store.audit, sealer)
    const empty = `update audit_writers set head_seq = 0, head_hash = '', head_mac = ''`
    tamper('delete from audit_rows where writer = 1', `${empty} where id = 1`)
    expect(await findProblems()).toEqual([['unsealed', 1]])
    tamper('delete from audit_rows', empty)
    expect(await findProblems()).toEqual([
      ['unsealed', 1],
      ['unsealed', 2],
    ])
    expect(await findProblems(heads)).toContainEqual(['cut', 1, 10])
    tamper(`update audit_writers set key_id = 'other'`)
    expect((await findProblems()).map(([kind]) => kind)).toEqual(['other-key', 'other-key'])
  })

  it('are intact without a row if their process ended before the first one', async () => {
    const audit = { ...store.audit, append: () => Promise.reject(new Error('the disk is full')) }
    const recorder = new AuditRecorder({ store: audit, secret })
    expect(await recorder.intent(exampleEntry('lost'))).toMatchObject({ message: 'the disk is full' })
    await recorder.close()
    expect(await store.audit.writers()).toHaveLength(2)
    const { problems, heads } = await verifyChains(store.audit, sealer)
    expect(problems).toEqual([])
    tamper('delete from audit_writers where id = 2')
    expect(await findProblems(heads)).toEqual([['no-writer', 0]])
  })

  it('cannot be verified if they were sealed with another key', async () => {
    const other = new Sealer(randomBytes(32))
    const found = await verifyChains(store.audit, other)
    expect(found.problems.map(({ kind }) => kind)).toEqual(['other-key'])
    expect((await verifyChains(store.audit, other, { acceptsOtherKeys: true })).problemCount).toBe(0)
  })

  it('can be compared with heads that were stored elsewhere', async () => {
    const { heads } = await verifyChains(store.audit, sealer)
    await record('b', 1)
    expect(await findProblems(heads)).toEqual([])
    const fake = heads.map(head => ({ ...head, hash: 'x' }))
    expect(await findProblems(fake)).toEqual([['edited', 1, 10]])
    expect(await findProblems([{ writer: 'gone', seq: 1, hash: 'x' }])).toEqual([['no-writer', 0]])
    expect(await findProblems(heads.map(head => ({ ...head, seq: 99 })))).toEqual([['cut', 1, 99]])
  })

  it('are intact if a writer that counted as closed starts a call during verification', async () => {
    const recorder = new AuditRecorder({ store: store.audit, secret })
    const [first, second] = [exampleEntry('first'), exampleEntry('second')]
    await recorder.intent(first)
    await recorder.outcome(exampleEnding(first))
    const { id } = (await store.audit.writers()).at(-1) ?? { id: 0 }
    // This is how another gateway closes a silent writer that runs in a different container.
    await store.audit.closeWriter(id, 5000)
    const writers = store.audit.writers.bind(store.audit)
    const audit = Object.create(store.audit, {
      writers: {
        value: async () => {
          const known = await writers()
          await recorder.intent(second)
          return known
        },
      },
    })
    expect((await verifyChains(audit, sealer)).problems).toEqual([])
    await recorder.outcome(exampleEnding(second))
    await recorder.close()
  })

  it('are intact if an outcome could not be written, and the call counts as open', async () => {
    const { audit } = store
    let isFailing = true
    const unsure = Object.create(audit, {
      append: {
        value: async (batch: Parameters<typeof audit.append>[0]) => {
          const isAppended = await audit.append(batch)
          if (isFailing) throw new Error('the commit may or may not have happened')
          return isAppended
        },
      },
    })
    const recorder = new AuditRecorder({ store: unsure, secret })
    expect(await recorder.intent(exampleEntry('unsure'))).toBeInstanceOf(Error)
    isFailing = false
    await recorder.close()
    expect(await audit.open()).toHaveLength(1)
    expect(await findProblems()).toEqual([])
  })

  it('are intact while other processes write', async () => {
    const read = store.audit.read.bind(store.audit)
    let isFirst = true
    const audit = {
      ...store.audit,
      read: async (after: string | undefined, limit: number) => {
        if (isFirst) await record('late', 2)
        isFirst = false
        return read(after, limit)
      },
    }
    expect((await verifyChains(audit, sealer)).problems).toEqual([])
  })

  describe('after pruning', () => {
    it('can still be verified and pruned again', async () => {
      await record('b', 3)
      expect(await pruneRows(store.audit, sealer, 1002)).toEqual({ rows: 8, broken: [] })
      expect(await verifyChains(store.audit, sealer)).toMatchObject({ rows: 8, sealed: 8, problems: [] })
      expect(await pruneRows(store.audit, sealer, 1004)).toEqual({ rows: 6, broken: [] })
      expect(await pruneRows(store.audit, sealer, 9999)).toEqual({ rows: 2, broken: [] })
      expect(await verifyChains(store.audit, sealer)).toMatchObject({ rows: 0, sealed: 16, problems: [] })
    })

    it('report rows that are missing after the seal, and a forged seal', async () => {
      await pruneRows(store.audit, sealer, 1002)
      tamper('delete from audit_rows where seq = 5')
      expect(await findProblems()).toEqual([['missing', 1, 6]])
      const [row] = await store.audit.readWriter(1, 5, 1)
      tamper(`update audit_writers set sealed_seq = 5, sealed_hash = '${row?.prev}'`)
      expect(await findProblems()).toEqual([['forged', 1, 5]])
    })

    it('report a head seal used as a segment seal to hide everything', async () => {
      tamper(
        'update audit_writers set sealed_seq = head_seq, sealed_hash = head_hash, sealed_mac = head_mac',
        'delete from audit_rows',
      )
      expect(await findProblems()).toEqual([['forged', 1, 10]])
    })

    it('are not pruned if they are broken, because a seal would hide it', async () => {
      tamper(`update audit_rows set agent = 'x' where seq = 3`)
      expect(await pruneRows(store.audit, sealer, 9999)).toEqual({ rows: 0, broken: [{ writer: 1, seq: 3 }] })
      expect(await findProblems()).toEqual([['edited', 1, 3]])
    })

    it('keep calls that have not ended', async () => {
      const recorder = new AuditRecorder({ store: store.audit, secret })
      await recorder.intent(exampleEntry('open'))
      await recorder.outcome(exampleEnding(exampleEntry('refused', { verdict: 'deny' })))
      await pruneRows(store.audit, sealer, 9999)
      expect((await store.audit.open()).map(({ request }) => request)).toEqual(['open'])
      await recorder.close()
      await pruneRows(store.audit, sealer, 9999)
      expect((await store.audit.read(undefined, 10)).rows).toEqual([])
      expect(await findProblems()).toEqual([])
    })
  })
})
