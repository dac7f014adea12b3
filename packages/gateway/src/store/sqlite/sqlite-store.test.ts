import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { describeStore } from '../contract.ts'
import { exampleResult } from '../contract-results.ts'
import { exampleToken } from '../contract-tokens.ts'
import { openStore } from '../open/open-store.ts'
import { createResultStore } from '../sql/result-store.ts'
import { MIGRATIONS } from './migrations.ts'
import { openDatabase } from './open-database.ts'
import { translateError } from './sqlite-errors.ts'
import { describeDatabase, openSqliteStore } from './sqlite-store.ts'

const NEXT = MIGRATIONS.length + 1

const makeFolder = () => mkdtempSync(join(tmpdir(), 'hintgate-store-'))

describeStore('SQLite', async () => {
  const folder = makeFolder()
  return {
    open: () => openStore(`sqlite:${join(folder, 'new', 'store.db')}`),
    remove: async () => rmSync(folder, { recursive: true }),
  }
})

describe('a SQLite store', () => {
  let folder: string
  let file: string
  beforeEach(() => {
    folder = makeFolder()
    file = join(folder, 'data', 'store.db')
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)
  const backups = () => readdirSync(join(folder, 'data')).filter(name => name.includes('.backup-'))
  const rawly = (work: (database: InstanceType<typeof DatabaseSync>) => void) => {
    const database = new DatabaseSync(file)
    work(database)
    database.close()
  }

  const catchError = (work: () => void): unknown => {
    try {
      work()
    } catch (error) {
      return error
    }
    return undefined
  }

  it('is readable by this user only', async () => {
    const store = openSqliteStore(file)
    await store.tokens.insert(exampleToken('bot'))
    expect(modeOf(join(folder, 'data'))).toBe('700')
    for (const name of ['store.db', 'store.db-wal', 'store.db-shm'])
      expect(modeOf(join(folder, 'data', name)), name).toBe('600')
    await store.close()
  })

  it('syncs every commit to disk, uses a write-ahead log and waits for other writers', () => {
    const database = openDatabase(file)
    const read = (name: string) =>
      Object.values(database.prepare(`pragma ${name}`).get() as object)[0] as unknown
    const pragmas = ['journal_mode', 'synchronous', 'foreign_keys', 'busy_timeout'].map(read)
    expect(pragmas).toEqual(['wal', 2, 1, 5000])
    database.close()
  })

  it('is backed up before a migration', async () => {
    const old = openSqliteStore(file)
    await old.tokens.insert(exampleToken('bot'))
    await old.close()
    const migrations = [
      ...MIGRATIONS,
      { version: NEXT, statements: ['alter table tokens add column colour text'] },
    ]
    const store = openSqliteStore(file, { migrations, now: () => Date.UTC(2027, 0, 31) })
    expect(await store.tokens.findByName('bot')).toBeDefined()
    await store.close()
    const [backup = '', ...more] = backups()
    expect(more).toEqual([])
    expect(backup).toBe(`store.db.backup-v${MIGRATIONS.length}-2027-01-31T00-00-00-000Z`)
    expect(modeOf(join(folder, 'data', backup))).toBe('600')
    const restored = openSqliteStore(join(folder, 'data', backup))
    expect(await restored.tokens.findByName('bot')).toEqual(exampleToken('bot'))
    await restored.close()
  })

  it('does not back up stored results', async () => {
    const old = openSqliteStore(file)
    const secret = exampleResult('res_1', { body: JSON.stringify(`confidential ${'x'.repeat(100_000)}`) })
    await old.results.insert(secret, { ownerBytes: 1e6, totalBytes: 1e6 })
    await old.close()
    const migrations = [...MIGRATIONS, { version: NEXT, statements: ['create table more (id integer)'] }]
    const store = openSqliteStore(file, { migrations })
    expect(await store.results.find('res_1', 'agent:bot', 1500)).toEqual(secret)
    await store.close()
    const [backup = '', ...more] = backups()
    expect(more).toEqual([])
    expect(readFileSync(join(folder, 'data', backup)).includes('confidential')).toBe(false)
  })

  it('of the first version keeps its tokens and reports changes after the migration', async () => {
    const first = openDatabase(file, { migrations: MIGRATIONS.slice(0, 1) })
    first.exec(`insert into tokens (name, kind, hash, hint, scope, created_at)
      values ('bot', 'agent', 'hash-of-bot', 'hg_agent_abcd…', '${JSON.stringify(exampleToken('bot').scope)}', 1000)`)
    first.close()
    const store = openSqliteStore(file)
    expect(await store.tokens.findByName('bot')).toEqual(exampleToken('bot'))
    expect(await store.results.insert(exampleResult('res_1'), { ownerBytes: 99, totalBytes: 99 })).toBe(true)
    expect(backups()).toHaveLength(1)
    const before = store.version()
    rawly(database => database.exec("update tokens set revoked_at = 77 where name = 'bot'"))
    expect(store.version()).toBeGreaterThan(before)
    await store.close()
  })

  it('on a full disk fails with a code, and deletes nothing for a result that does not fit', async () => {
    const database = openDatabase(file)
    const common = describeDatabase(database, file, () => {})
    const results = createResultStore(common)
    const quota = { ownerBytes: 250_000, totalBytes: 250_000 }
    const long = (handle: string, length: number) =>
      exampleResult(handle, { body: JSON.stringify('x'.repeat(length)) })
    await results.insert(long('res_1', 50_000), quota)
    database.exec('pragma max_page_count = 50')
    const refused = results.insert(long('res_2', 240_000), quota)
    await expect(refused).rejects.toMatchObject({ code: 'store_unavailable' })
    expect(await results.find('res_2', 'agent:bot', 1500)).toBeUndefined()
    expect(await results.find('res_1', 'agent:bot', 1500)).toBeDefined()
    await common.db.destroy()
  })

  it('is not backed up if there is nothing to migrate', async () => {
    await openSqliteStore(file).close()
    await openSqliteStore(file).close()
    expect(backups()).toEqual([])
  })

  it('is unchanged when a migration fails', async () => {
    const old = openSqliteStore(file)
    await old.tokens.insert(exampleToken('bot'))
    await old.close()
    const broken = { version: NEXT, statements: ['drop table tokens', 'no such statement'] }
    expect(() => openSqliteStore(file, { migrations: [...MIGRATIONS, broken] })).toThrow('syntax error')
    const store = openSqliteStore(file)
    expect(await store.tokens.findByName('bot')).toEqual(exampleToken('bot'))
    await store.close()
  })

  it('of a newer version is refused with its version number', async () => {
    await openSqliteStore(file).close()
    rawly(database => database.exec('pragma user_version = 99'))
    expect(() => openSqliteStore(file)).toThrow(
      expect.objectContaining({ code: 'store_newer', payload: expect.objectContaining({ found: 99 }) }),
    )
    rawly(database => expect(database.prepare('pragma user_version').get()).toEqual({ user_version: 99 }))
  })

  it('of another program is refused', () => {
    mkdirSync(join(folder, 'data'))
    rawly(database => database.exec('create table recipes (name text)'))
    expect(() => openSqliteStore(file)).toThrow(expect.objectContaining({ code: 'store_foreign' }))
  })

  it('that is damaged is refused with a code', () => {
    mkdirSync(join(folder, 'data'))
    writeFileSync(file, 'this is no database '.repeat(500))
    expect(() => openSqliteStore(file)).toThrow(expect.objectContaining({ code: 'store_corrupt' }))
  })

  it('that another program has locked is refused with a code after waiting', () => {
    mkdirSync(join(folder, 'data'))
    const other = new DatabaseSync(file)
    other.exec('begin exclusive')
    const start = Date.now()
    expect(() => openSqliteStore(file, { busyTimeoutMs: 200 })).toThrow(
      expect.objectContaining({ code: 'store_locked' }),
    )
    expect(Date.now() - start).toBeGreaterThan(150)
    other.close()
  })

  it('that is locked later fails with a code', async () => {
    const store = openSqliteStore(file, { busyTimeoutMs: 50 })
    const other = new DatabaseSync(file)
    other.exec('begin immediate')
    await expect(store.tokens.insert(exampleToken('bot'))).rejects.toMatchObject({ code: 'store_locked' })
    other.exec('rollback')
    await store.tokens.insert(exampleToken('bot'))
    other.close()
    await store.close()
  })

  it('whose folder is a file is refused with a code', () => {
    writeFileSync(join(folder, 'data'), '')
    expect(() => openSqliteStore(file)).toThrow(expect.objectContaining({ code: 'store_unavailable' }))
  })

  it('that SQLite reports as read-only is refused with a code', async () => {
    await openSqliteStore(file).close()
    const reader = new DatabaseSync(file, { readOnly: true })
    const error = catchError(() => reader.exec('delete from tokens'))
    expect(translateError(error, file)).toMatchObject({ code: 'store_read_only' })
    expect(translateError(new TypeError('a bug'), file)).toBeInstanceOf(TypeError)
    reader.close()
  })

  // Skipped as root, because root can write to every file.
  it.skipIf(process.getuid?.() === 0)('without write permission is refused with a code', async () => {
    await openSqliteStore(file).close()
    chmodSync(file, 0o400)
    expect(() => openSqliteStore(file)).toThrow(expect.objectContaining({ code: 'store_read_only' }))
  })

  it('with an unsupported address is refused without showing the password', async () => {
    const refused = openStore('mysql://me:hunter2@db.example/hintgate')
    await expect(refused).rejects.toMatchObject({ code: 'store_unsupported' })
    await expect(refused).rejects.not.toThrow('hunter2')
  })
})
