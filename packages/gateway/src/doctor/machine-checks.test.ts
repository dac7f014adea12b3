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

  it('is told when it was set back behind what has happened, or is long ago', () => {
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

  it('is told when there is little room on it, or hardly any, or for no more files', () => {
    expect(codesOf(2048 * MIB, 1)).toEqual([])
    expect(codesOf(1023 * MIB)).toEqual(['warning disk_low'])
    expect(codesOf(63 * MIB)).toEqual(['error disk_full'])
    expect(codesOf(2048 * MIB, 0)).toEqual(['error disk_full'])
  })

  it('comes with the commands that show it and make room', () => {
    const [found] = checkDisks([{ path: '/my data', freeBytes: MIB }])
    expect(found?.text).toContain('/my data has 1 MiB left')
    expect(found?.fix).toMatch(/df -h '\/my data'.*hintgate audit prune --before 90d/)
  })
})

describe('Node', () => {
  it('is told when nobody mends it any more, with one that somebody does', () => {
    expect(checkNode('20.19.0', Date.UTC(2026, 3, 29))).toEqual([])
    expect(checkNode('20.19.0', Date.UTC(2026, 4, 2))).toEqual([
      expect.objectContaining({ code: 'node_old', level: 'info', fix: expect.stringContaining('Node 24') }),
    ])
    expect(checkNode('26.1.0', Date.UTC(2026, 4, 2))).toEqual([])
  })
})

describe('rights of files', () => {
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

  it('are told where others can read what is private, with the chmod that ends it', () => {
    expect(seen({})).toEqual([])
    expect(seen({ mode: 0o640 })).toEqual(['warning file_exposed: chmod 600 /h/x'])
    expect(seen({ role: 'key', mode: 0o604 })).toEqual(['error secret_key_exposed: chmod 600 /h/x'])
    expect(seen({ role: 'home', mode: 0o755, isFolder: true })).toEqual([
      'warning home_exposed: chmod 700 /h/x',
    ])
    expect(seen({ role: 'home', mode: 0o700, isFolder: true })).toEqual([])
  })

  it('of the config may let others read it, and not everybody write it', () => {
    expect(seen({ role: 'config', mode: 0o664 })).toEqual([])
    expect(seen({ role: 'config', mode: 0o666 })).toEqual(['error config_writable: chmod 664 /h/x'])
  })

  it('of the home let us write, and where they do not, no chmod of ours is a remedy', () => {
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

  it('is no finding when it is free', () => expect(seen({})).toEqual([]))

  it('is fine when our own gateway has it, and not when one with another store has', () => {
    const ours = [['info gateway_running', expect.stringContaining('process 7 listens on 127.0.0.1:4428')]]
    expect(seen({ why, owner: { ...owner, isGateway: true, usesStore: true } })).toEqual(ours)
    expect(seen({ why, owner: { ...owner, isGateway: true } })).toEqual(ours)
    expect(seen({ why, owner: { ...owner, isGateway: true, usesStore: false } })).toEqual([
      ['error port_taken', expect.stringContaining('a gateway with another store (process 7)')],
    ])
  })

  it('is told when somebody else has it, with who it is if that can be seen', () => {
    expect(seen({ why, owner })).toEqual([['error port_taken', expect.stringContaining('node (process 7)')]])
    expect(seen({ why })).toEqual([['error port_taken', expect.stringContaining('something listens')]])
    expect(checkPort({ listen, why })[0]?.fix).toContain('lsof -nP -iTCP:4428')
  })

  it('is told when nobody can listen there, with the reason in words', () => {
    expect(seen({ why: 'EADDRNOTAVAIL' })).toEqual([
      ['error port_unusable', expect.stringContaining('does not have that address')],
    ])
    expect(seen({ why: 'EODD' })).toEqual([['error port_unusable', expect.stringContaining('EODD')]])
  })

  it('is found in the table of the system by its number and state', () => {
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

  it('is opened when that changes nothing in it', () => {
    expect(seen({})).toEqual([[], true])
    expect(seen({ version: 8 })).toEqual([[], true])
    expect(seen({ kind: 'strange' })).toEqual([[], true])
    expect(seen({ kind: 'missing' })).toEqual([[], false])
  })

  it('with older tables is left to the next start, or to the command for it', () => {
    expect(seen({ version: 6, expired: 3 })).toEqual([['warning store_older'], false])
    expect(checkStore({ ...ours, version: 6 })[0]?.fix).toBe('hintgate store migrate')
  })

  it('that is damaged is told with what is broken, and one too large to look through as such', () => {
    expect(seen({ damage: ['row 1 missing'] })).toEqual([['error store_corrupt'], false])
    expect(checkStore({ ...ours, damage: ['row 1 missing'] })[0]?.text).toContain('| row 1 missing')
    const { damage: _, ...large } = ours
    expect(checkStore(large).map(({ code, level }) => `${level} ${code}`)).toEqual(['info store_unchecked'])
  })

  it('with results that should be gone says how many, and --fix forgets them', () => {
    expect(checkStore({ ...ours, expired: 3 })).toEqual([
      expect.objectContaining({
        code: 'results_expired',
        text: expect.stringContaining('3 kept results'),
        repair: { does: 'forget results', store: 'sqlite:/h/s.db' },
      }),
    ])
  })
})
