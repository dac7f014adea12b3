import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openSqliteStore } from '../store/sqlite/sqlite-store.ts'
import { findLeftovers, inspectFiles, measureDisks } from './check-files.ts'
import { probePort } from './check-port.ts'
import { inspectStore } from './check-store.ts'
import { applyRepair, commandOf } from './finding.ts'

const UUID = '0f8fad5b-d9cb-469f-a165-70867728950e'
let home: string
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'hintgate-doctor-')))
})
afterEach(() => rmSync(home, { recursive: true }))

function put(path: string, mode = 0o600): string {
  const file = join(home, path)
  mkdirSync(join(file, '..'), { recursive: true, mode: 0o700 })
  writeFileSync(file, 'x')
  chmodSync(file, mode)
  return file
}

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8)

describe('files', () => {
  it('are listed with their modes: the key, the config, the store with its backups, and secrets', () => {
    put('secret.key', 0o644)
    put('secrets/crm', 0o640)
    const config = put('hintgate.json', 0o666)
    const store = put('data/h.db')
    put('data/h.db-wal', 0o604)
    put('data/h.db.backup-v3-2026', 0o644)
    put('data/h.database', 0o644)
    const seen = inspectFiles({ home, config, store })
    expect(
      seen.map(({ path, role, mode }) => `${path.slice(home.length)} ${role} ${mode.toString(8)}`),
    ).toEqual([
      ' home 700',
      '/secret.key key 644',
      '/hintgate.json config 666',
      '/data/h.db private 600',
      '/data/h.db-wal private 604',
      '/data/h.db.backup-v3-2026 private 644',
      '/secrets private 700',
      '/secrets/crm private 640',
    ])
    expect(inspectFiles({ home: join(home, 'nowhere') })).toEqual([])
  })
})

describe('leftovers', () => {
  it('are only old drafts of Hintgate', () => {
    const config = put('hintgate.json')
    const drafts = [
      'secret.key.12.0123456789ab',
      `connections/a.json.${UUID}.tmp`,
      `.hintgate.json.${UUID}.tmp`,
    ]
    const others = ['secret.key', 'secret.key.old', `other.${UUID}.tmp`, 'connections/a.json']
    for (const name of [...drafts, ...others]) put(name)
    const inTwoHours = Date.now() + 2 * 60 * 60 * 1000
    expect(findLeftovers({ home, config }, Date.now())).toEqual([])
    expect(findLeftovers({ home, config }, inTwoHours)).toEqual(drafts.map(name => join(home, name)))
    utimesSync(join(home, drafts[0] ?? ''), 0, 0)
    expect(findLeftovers({ home }, Date.now())).toEqual([join(home, drafts[0] ?? '')])
  })
})

describe('the file of a store', () => {
  const result = { handle: 'a', owner: 'o', tool: 's:t', createdAt: 0, expiresAt: 10, body: '{}' }
  const quota = { ownerBytes: 1000, totalBytes: 1000 }

  async function makeStore(): Promise<string> {
    const file = join(home, 'h.db')
    const store = openSqliteStore(file)
    await store.results.insert(result, quota)
    await store.close()
    return file
  }

  it("is missing, foreign, or Hintgate's with its version and expired results", async () => {
    expect(await inspectStore(join(home, 'h.db'), 0)).toMatchObject({ kind: 'missing' })
    expect(await inspectStore(put('text'), 0)).toMatchObject({ kind: 'strange' })
    const file = await makeStore()
    expect(await inspectStore(file, 5)).toMatchObject({ kind: 'ours', damage: [], expired: 0 })
    const facts = await inspectStore(file, 10)
    expect(facts).toMatchObject({ expired: 1 })
    expect(facts.kind === 'ours' && facts.version === facts.known).toBe(true)
    expect(await applyRepair({ does: 'forget results', store: `sqlite:${file}` }, 10)).toBe(undefined)
    expect(await inspectStore(file, 10)).toMatchObject({ expired: 0 })
  })

  it('is not migrated by an inspection', async () => {
    const file = await makeStore()
    const { DatabaseSync } = await import('@photostructure/sqlite')
    const database = new DatabaseSync(file)
    database.exec('pragma user_version = 3')
    database.close()
    for (const _ of [1, 2]) expect(await inspectStore(file, 0)).toMatchObject({ version: 3 })
  })

  it.each(['tokens', 'sqlite_autoindex_tokens_1'])('is checked for damage, as in %s', async name => {
    const file = await makeStore()
    const { DatabaseSync } = await import('@photostructure/sqlite')
    const database = new DatabaseSync(file)
    const [found] = database.prepare('select rootpage from sqlite_schema where name = ?').all(name)
    database.close()
    const { rootpage: page } = found as { rootpage: number }
    const bytes = readFileSync(file)
    bytes.fill(0xee, (page - 1) * 4096, page * 4096)
    writeFileSync(file, bytes)
    const facts = await inspectStore(file, 0)
    expect(facts.kind === 'ours' ? facts.damage?.length : facts).toBeGreaterThan(0)
  })
})

describe('a repair', () => {
  it('does what its command says', async () => {
    const file = put('a b', 0o644)
    const chmod = { does: 'chmod', path: file, mode: 0o600 } as const
    expect(await applyRepair(chmod, 0)).toBe(undefined)
    expect([modeOf(file), commandOf(chmod)]).toEqual(['600', `chmod 600 '${file}'`])
    const folder = join(home, 'new')
    expect(await applyRepair({ does: 'mkdir', path: folder }, 0)).toBe(undefined)
    expect(modeOf(folder)).toBe('700')
    expect(await applyRepair({ does: 'remove', path: file }, 0)).toBe(undefined)
    expect(existsSync(file)).toBe(false)
  })

  it('returns the reason if it fails', async () => {
    expect(await applyRepair({ does: 'chmod', path: join(home, 'none'), mode: 0o600 }, 0)).toBe('ENOENT')
    expect(await applyRepair({ does: 'remove', path: home }, 0)).toMatch(/EISDIR/)
  })
})

describe('disks', () => {
  it('are measured once each, even for a path that does not exist yet', () => {
    const [disk, ...more] = measureDisks([join(home, 'not/yet'), home])
    expect([disk?.path, more]).toEqual([join(home, 'not/yet'), []])
    expect(disk?.freeBytes).toBeGreaterThan(0)
  })
})

describe('a port', () => {
  let server: Server
  const listening = (): Promise<number> =>
    new Promise(resolve => {
      server = createServer().listen(0, '127.0.0.1', () =>
        resolve((server.address() as { port: number }).port),
      )
    })

  it('is probed, and its owner is identified', async () => {
    const port = await listening()
    const listen = { host: '127.0.0.1', port }
    const facts = await probePort(listen, '/no/store')
    expect(facts.why).toBe('EADDRINUSE')
    if (process.platform === 'linux')
      expect(facts.owner).toMatchObject({ pid: process.pid, isGateway: false, usesStore: false })
    const store = openSync(put('h.db'), 'r')
    if (process.platform === 'linux')
      expect((await probePort(listen, join(home, 'h.db'))).owner).toMatchObject({
        isGateway: true,
        usesStore: true,
      })
    closeSync(store)
    await new Promise(resolve => server.close(resolve))
    expect(await probePort(listen)).toEqual({ listen })
    expect((await probePort({ host: '127.0.0.1', port: 0 })).why).toBeUndefined()
    // No machine has this address, because it is from TEST-NET-1 (RFC 5737).
    expect(await probePort({ host: '192.0.2.1', port })).toMatchObject({ why: 'EADDRNOTAVAIL' })
  })
})
