import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { hasCode } from '../errors.ts'
import { type LoadedConfig, loadConfig } from './load-config.ts'
import { createReloader, type ReloadEvent, type Reloader } from './reloader.ts'

const portText = (port: number) => `{ "listen": "127.0.0.1:${port}" }`

describe('a config that is edited while it runs', () => {
  let folder: string
  let path: string
  let events: ReloadEvent<LoadedConfig>[]
  let reloader: Reloader | undefined

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'hintgate-watch-'))
    path = join(folder, 'hintgate.json')
    events = []
    writeFileSync(path, portText(1))
  })
  afterEach(() => {
    reloader?.close()
    rmSync(folder, { recursive: true })
  })

  const start = () => {
    const load = async () => loadConfig({ path, env: {}, cwd: folder, homeDir: folder })
    reloader = createReloader({
      paths: () => [path, join(folder, 'policies/*.yaml')],
      load,
      onEvent: event => events.push(event),
    })
  }
  const seen = () =>
    events.map(event => {
      if (event.kind === 'applied') return event.loaded.config.listen.port
      return hasCode(event.error, 'config_invalid') ? event.error.payload.problems[0]?.message : event.error
    })
  const expectSeen = (expected: unknown[]) =>
    vi.waitFor(() => expect(seen()).toEqual(expected), { timeout: 15_000 })
  const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))

  it('is taken over when it is good and refused when it is not', async () => {
    start()
    writeFileSync(path, portText(2))
    await expectSeen([2])
    writeFileSync(path, '{ "lissten": 1 }')
    await expectSeen([2, 'unknown key'])
    writeFileSync(path, portText(3))
    await expectSeen([2, 'unknown key', 3])
  })

  it('is seen when an editor saves by renaming, again and again', async () => {
    start()
    for (const port of [2, 3, 4]) {
      writeFileSync(`${path}.tmp`, portText(port))
      renameSync(`${path}.tmp`, path)
      await expectSeen(Array.from({ length: port - 1 }, (_, index) => index + 2))
    }
  })

  it('is seen when a link is swapped, as Kubernetes does', async () => {
    for (const port of [1, 2]) {
      mkdirSync(join(folder, `v${port}`))
      writeFileSync(join(folder, `v${port}/hintgate.json`), portText(port))
    }
    rmSync(path)
    symlinkSync('v1', join(folder, 'data'))
    symlinkSync('data/hintgate.json', path)
    start()
    symlinkSync('v2', join(folder, 'data.tmp'))
    renameSync(join(folder, 'data.tmp'), join(folder, 'data'))
    await expectSeen([2])
    writeFileSync(join(folder, 'v2/hintgate.json'), portText(3))
    await expectSeen([2, 3])
  })

  it('is read once for many writes, and not at all when nothing changed', async () => {
    start()
    for (let i = 0; i < 20; i++) writeFileSync(path, portText(2))
    await expectSeen([2])
    writeFileSync(path, portText(2))
    writeFileSync(join(folder, 'other.json'), '{}')
    await pause(300)
    expect(seen()).toEqual([2])
  })

  it('is read again when a policy comes, changes or goes', async () => {
    mkdirSync(join(folder, 'policies'))
    const policy = join(folder, 'policies/a.yaml')
    start()
    writeFileSync(policy, 'rules: []')
    await expectSeen([1])
    writeFileSync(policy, 'rules: [ ]')
    await expectSeen([1, 1])
    rmSync(policy)
    await expectSeen([1, 1, 1])
  })

  it('stays in force while the file is gone', async () => {
    start()
    rmSync(path)
    await pause(250)
    expect(events).toEqual([])
    writeFileSync(path, portText(2))
    await expectSeen([2])
  })

  it('is no longer watched after closing, not even by a timer', async () => {
    start()
    writeFileSync(path, portText(2))
    await pause(30)
    reloader?.close()
    await pause(300)
    expect(events).toEqual([])
    const active = process.getActiveResourcesInfo()
    expect(active.filter(resource => resource === 'FSEventWrap')).toEqual([])
  })

  it('can be read again on demand', async () => {
    start()
    reloader?.reload()
    await expectSeen([1])
  })
})
