import { describe, expect, it } from 'vitest'
import { checkDisks, checkPermissions, type FileFacts } from './check-files.ts'
import { checkPort, listSockets, type PortFacts } from './check-port.ts'
import { checkClock, checkStore, mayOpen, type StoreFacts } from './check-store.ts'
import { checkNode } from './examine-machine.ts'

const MIB = 1024 * 1024

describe('the clock', () => {
  const now = Date.UTC(2026, 10, 16)
  const fixOf = (latest: number | undefined, at = now, platform: NodeJS.Platform = 'linux') =>
    checkClock({ now: at, platform, ...(latest !== undefined && { latest }) }).map(({ fix }) => fix)

  it('is reported if it shows a time before the latest event or long ago', () => {
    expect(fixOf(undefined)).toEqual([])
    expect(fixOf(now - 1)).toEqual([])
    expect(fixOf(now + 60_000)).toEqual([])
    expect(fixOf(now + 180_000)).toEqual(['set the clock: sudo timedatectl set-ntp true'])
    expect(fixOf(undefined, 0, 'win32')).toEqual(['set the clock: w32tm /resync'])
  })
})

describe('a disk', () => {
  const codesOf = (freeBytes: number, freeFiles?: number) =>
    checkDisks([{ path: '/data', freeBytes, ...(freeFiles !== undefined && { freeFiles }) }]).map(
      ({ code, level }) => `${level} ${code}`,
    )

  it('is reported if it is low, full, or has no space for another file', () => {
    expect(codesOf(2048 * MIB, 1)).toEqual([])
    expect(codesOf(1023 * MIB)).toEqual(['warning disk_low'])
    expect(codesOf(63 * MIB)).toEqual(['error disk_full'])
    expect(codesOf(2048 * MIB, 0)).toEqual(['error disk_full'])
  })

  it('is reported with the commands that show it and free space', () => {
    const [found] = checkDisks([{ path: '/my data', freeBytes: MIB }])
    expect(found?.text).toContain('/my data has 1 MiB left')
    expect(found?.fix).toMatch(/df -h '\/my data'.*hintgate audit prune --before 90d/)
  })
})

describe('Node', () => {
  it('is reported when its release line has no more security fixes, with a newer version', () => {
    expect(checkNode('20.19.0', Date.UTC(2026, 3, 29))).toEqual([])
    expect(checkNode('20.19.0', Date.UTC(2026, 4, 2))).toEqual([
      expect.objectContaining({ code: 'node_old', level: 'info', fix: expect.stringContaining('Node 24') }),
    ])
    expect(checkNode('26.1.0', Date.UTC(2026, 4, 2))).toEqual([])
  })
})

describe('file permissions', () => {
  const file = (more: Partial<FileFacts>): FileFacts => ({
    path: '/h/x',
    role: 'private',
    isFolder: false,
    mode: 0o600,
    isWritable: true,
    ...more,
  })
  const seen = (more: Partial<FileFacts>) =>
    checkPermissions([file(more)]).map(({ code, level, fix }) => `${level} ${code}: ${fix}`)

  it('are reported for private files that others can read, with the chmod that fixes them', () => {
    expect(seen({})).toEqual([])
    expect(seen({ mode: 0o640 })).toEqual(['warning file_exposed: chmod 600 /h/x'])
    expect(seen({ role: 'key', mode: 0o604 })).toEqual(['error secret_key_exposed: chmod 600 /h/x'])
    expect(seen({ role: 'home', mode: 0o755, isFolder: true })).toEqual([
      'warning home_exposed: chmod 700 /h/x',
    ])
    expect(seen({ role: 'home', mode: 0o700, isFolder: true })).toEqual([])
  })

  it('can let others read the config, but must not let everyone write it', () => {
    expect(seen({ role: 'config', mode: 0o664 })).toEqual([])
    expect(seen({ role: 'config', mode: 0o666 })).toEqual(['error config_writable: chmod 664 /h/x'])
  })

  it('have no automatic repair if the home is not writable', () => {
    const [found, ...more] = checkPermissions([
      file({ role: 'home', isFolder: true, mode: 0o700, isWritable: false }),
    ])
    expect([found?.code, found?.repair, more]).toEqual(['home_unwritable', undefined, []])
  })
})

describe('the port', () => {
  const listen = { host: '127.0.0.1', port: 4428 }
  const owner = { pid: 7, program: 'node', isGateway: false }
  const seen = (more: Partial<PortFacts>) =>
    checkPort({ listen, ...more }).map(({ code, level, text }) => [`${level} ${code}`, text])
  const why = 'EADDRINUSE'

  it('is not reported if it is free', () => expect(seen({})).toEqual([]))

  it('is information if a gateway with this store uses it, and an error for one with another store', () => {
    const ours = [['info gateway_running', expect.stringContaining('process 7 listens on 127.0.0.1:4428')]]
    expect(seen({ why, owner: { ...owner, isGateway: true, usesStore: true } })).toEqual(ours)
    expect(seen({ why, owner: { ...owner, isGateway: true } })).toEqual(ours)
    expect(seen({ why, owner: { ...owner, isGateway: true, usesStore: false } })).toEqual([
      ['error port_taken', expect.stringContaining('a gateway with another store (process 7)')],
    ])
  })

  it('is an error if another process uses it, named if known', () => {
    expect(seen({ why, owner })).toEqual([['error port_taken', expect.stringContaining('node (process 7)')]])
    expect(seen({ why })).toEqual([['error port_taken', expect.stringContaining('another process')]])
    expect(checkPort({ listen, why })[0]?.fix).toContain('lsof -nP -iTCP:4428')
  })

  it('is an error if listening fails, with the reason', () => {
    expect(seen({ why: 'EADDRNOTAVAIL' })).toEqual([
      ['error port_unusable', expect.stringContaining('does not have that address')],
    ])
    expect(seen({ why: 'EODD' })).toEqual([['error port_unusable', expect.stringContaining('EODD')]])
  })

  it('is found in /proc/net/tcp by its number and state', () => {
    const row = (local: string, state: string, inode: number) =>
      `   0: 0100007F:${local} 00000000:0000 ${state} 00000000:00000000 00:00000000 00000000  1000        0 ${inode} 1`
    const table = ['  sl  local_address', row('114C', '0A', 5), row('114C', '01', 6), row('114D', '0A', 7)]
    expect(listSockets(table.join('\n'), 4428)).toEqual(['socket:[5]'])
  })
})

describe('a store', () => {
  const ours: StoreFacts = { kind: 'ours', file: '/h/s.db', version: 7, known: 7, damage: [], expired: 0 }
  const seen = (more: object) => {
    const facts = { ...ours, ...more } as StoreFacts
    return [checkStore(facts).map(({ code, level }) => `${level} ${code}`), mayOpen(facts)]
  }

  it('is opened only if that changes nothing in it', () => {
    expect(seen({})).toEqual([[], true])
    expect(seen({ version: 8 })).toEqual([[], true])
    expect(seen({ kind: 'strange' })).toEqual([[], true])
    expect(seen({ kind: 'missing' })).toEqual([[], false])
  })

  it('is not opened if its schema is older; the fix is store migrate', () => {
    expect(seen({ version: 6, expired: 3 })).toEqual([['warning store_older'], false])
    expect(checkStore({ ...ours, version: 6 })[0]?.fix).toContain('hintgate store migrate')
  })

  it('is reported if it is damaged or too large to check', () => {
    expect(seen({ damage: ['row 1 missing'] })).toEqual([['error store_corrupt'], false])
    expect(checkStore({ ...ours, damage: ['row 1 missing'] })[0]?.text).toContain('| row 1 missing')
    const { damage: _, ...large } = ours
    expect(checkStore(large).map(({ code, level }) => `${level} ${code}`)).toEqual(['info store_unchecked'])
  })

  it('is reported if it has expired results, with their number and a repair', () => {
    expect(checkStore({ ...ours, expired: 3 })).toEqual([
      expect.objectContaining({
        code: 'results_expired',
        text: expect.stringContaining('3 stored results'),
        repair: { does: 'forget results', store: 'sqlite:/h/s.db' },
      }),
    ])
  })
})
